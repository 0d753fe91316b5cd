package io.movr.instance;

import io.movr.promos.PromoProblem;
import io.movr.rides.RideProblem;
import io.movr.users.UserProblem;
import io.movr.vehicles.VehicleProblem;
import io.movr.web.ProblemType;
import io.movr.web.RequestProblem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /problems}: the pages that the {@code type} of a problem detail links to. */
@RestController
@RequestMapping("/problems")
@Tag(name = "problems", description = "The problem types of refused requests")
public class ProblemController {

    /** A problem type. */
    @Schema(name = "ProblemType")
    record ProblemTypeView(
            @Schema(example = "/problems/ride-ended") String type,
            @Schema(example = "Ride ended") String title,
            @Schema(example = "409") int status,
            String explanation) {

        static ProblemTypeView of(ProblemType type) {
            return new ProblemTypeView(
                    type.address(), type.title(), type.status().value(), type.explanation());
        }
    }

    /** Returns every type. */
    public static List<ProblemType> all() {
        return Stream.<ProblemType[]>of(
                        UserProblem.values(),
                        VehicleProblem.values(),
                        RideProblem.values(),
                        PromoProblem.values(),
                        RequestProblem.values())
                .flatMap(Stream::of)
                .toList();
    }

    @GetMapping
    @Operation(operationId = "listProblems", summary = "List all problem types")
    List<ProblemTypeView> list() {
        return all().stream().map(ProblemTypeView::of).toList();
    }

    @GetMapping("/{slug}")
    @Operation(operationId = "showProblem", summary = "Show a problem type")
    ProblemTypeView show(@PathVariable @Parameter(example = "ride-ended") String slug) {
        return all().stream()
                .filter(type -> type.slug().equals(slug))
                .findFirst()
                .map(ProblemTypeView::of)
                .orElseThrow(() -> RequestProblem.NO_SUCH_PATH.because("There is no such problem type"));
    }
}

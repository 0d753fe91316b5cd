package io.movr.users;

import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/users}. */
@RestController
@RequestMapping("/api/users")
@Tag(name = "users", description = "Riders and owners of vehicles")
class UserController {

    private static final String LOWEST_ID = "00000000-0000-0000-0000-000000000000";

    private final UserService users;
    private final PageSize pageSize;

    UserController(UserService users, PageSize pageSize) {
        this.users = users;
        this.pageSize = pageSize;
    }

    @PostMapping
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(operationId = "registerUser", summary = "Register a user")
    ResponseEntity<UserView> register(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Registration registration) {
        Answer<UserView> answer = users.register(Answers.checked(key), registration);
        return Answers.created(
                answer,
                Version.of(answer.body()),
                "users",
                answer.body().city(),
                answer.body().id());
    }

    @GetMapping("/{city}/{id}")
    @Operation(operationId = "showUser", summary = "Show a user")
    ResponseEntity<UserView> show(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable @Parameter(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a") UUID id) {
        UserView user = users.show(new UserId(city, id));
        return Answers.shown(user, Version.of(user));
    }

    @GetMapping
    @Operation(operationId = "listUsers", summary = "List a city's users, by id")
    Page<UserView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam(defaultValue = LOWEST_ID) @Parameter(description = "`next` of the previous page") UUID after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return users.list(city, after, pageSize.of(limit));
    }

    @PatchMapping("/{city}/{id}")
    @Operation(operationId = "renameUser", summary = "Rename a user")
    ResponseEntity<UserView> rename(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable @Parameter(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a") UUID id,
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestBody @Valid Renaming renaming) {
        Answer<UserView> answer = users.rename(new UserId(city, id), Answers.checked(key), ifMatch, renaming);
        return Answers.done(answer, Version.of(answer.body()));
    }
}

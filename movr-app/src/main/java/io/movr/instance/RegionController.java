package io.movr.instance;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.database.Gateway;
import io.movr.datasource.Unavailable;
import io.movr.datasource.Unavailable.Reason;
import io.movr.region.InstanceRegion;
import io.movr.region.Region;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/region}. */
@RestController
@Tag(name = "region", description = "The region of this instance")
class RegionController {

    /** The stage of a schema. */
    @Schema(name = "Stage")
    record StageView(
            @Schema(example = "6") int version,
            @Schema(example = "unused-index-dropped") String name,
            String purpose) {}

    /** The state of a database. */
    @Schema(name = "Database")
    record DatabaseView(
            @Schema(example = "PostgreSQL") String engine,
            String version,
            @Nullable StageView stage,

            @JsonProperty("gateway_region")
            @Schema(description = "The region that the gateway reports; CockroachDB only")
            @Nullable
            String gatewayRegion) {}

    /** The region of an instance. */
    @Schema(name = "Region")
    record RegionView(
            @Schema(description = "The region that this instance is pinned to", example = "us-east1")
            String region,

            @Schema(description = "The database endpoint that it uses")
            String gateway,

            DatabaseView database,

            @Schema(description = "Cities by their home region", example = "{\"us-east1\": [\"new york\", \"boston\"]}")
            Map<String, List<String>> regions) {}

    private final InstanceRegion instanceRegion;
    private final Gateway gateway;
    private final DatabaseState database;

    RegionController(InstanceRegion instanceRegion, Gateway gateway, DatabaseState database) {
        this.instanceRegion = instanceRegion;
        this.gateway = gateway;
        this.database = database;
    }

    @GetMapping("/api/region")
    @Operation(operationId = "showRegion", summary = "Show the region, the gateway and the cities of this instance")
    RegionView show() {
        DatabaseState.Answer answer;
        try {
            answer = database.ask();
        } catch (SQLException failed) {
            throw new Unavailable(Reason.GATEWAY, "The database cannot be reached", failed);
        }
        Map<String, List<String>> regions = new LinkedHashMap<>();
        instanceRegion
                .map()
                .cities()
                .forEach((Region region, List<String> cities) -> regions.put(region.name(), cities));
        return new RegionView(
                instanceRegion.here().name(),
                gateway.recorded(),
                new DatabaseView(
                        answer.engine().title(),
                        answer.version(),
                        answer.stage() == null
                                ? null
                                : new StageView(
                                        answer.stage().version(),
                                        answer.stage().id(),
                                        answer.stage().purpose()),
                        answer.gatewayRegion()),
                regions);
    }
}

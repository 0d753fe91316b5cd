package io.movr.instance;

import io.movr.UserError;
import io.movr.region.InstanceRegion;
import java.sql.SQLException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** The readiness of the service: the gateway answers, and its database has MovR's tables, which the service may write. */
@Component
class GatewayHealthIndicator implements HealthIndicator {

    private final DatabaseState database;
    private final InstanceRegion instanceRegion;

    GatewayHealthIndicator(DatabaseState database, InstanceRegion instanceRegion) {
        this.database = database;
        this.instanceRegion = instanceRegion;
    }

    @Override
    public Health health() {
        Health.Builder health =
                Health.unknown().withDetail("region", instanceRegion.here().name());
        try {
            DatabaseState.Answer answer = database.ask();
            if (answer.stage() == null) {
                return health.down()
                        .withDetail(
                                "reason",
                                "There are no tables of MovR at a stage that this version knows: run movr migrate")
                        .build();
            }
            if (!answer.accessProblems().isEmpty()) {
                return health.outOfService()
                        .withDetail("reason", String.join("; ", answer.accessProblems()))
                        .build();
            }
            return health.up()
                    .withDetail("engine", answer.engine().title())
                    .withDetail("stage", answer.stage().id())
                    .build();
        } catch (SQLException failed) {
            return health.down()
                    .withDetail("reason", UserError.firstLine(failed))
                    .build();
        }
    }
}

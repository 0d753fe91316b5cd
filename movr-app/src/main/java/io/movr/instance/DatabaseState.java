package io.movr.instance;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.datasource.GatewayPool;
import io.movr.schema.Schema;
import io.movr.schema.ServiceAccess;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the product, the version and the schema stage of the database. */
@Component
public class DatabaseState {

    /**
     * The state that a database reported.
     *
     * @param version as the server reports it
     * @param accessProblems the privileges that the service's role lacks for writing; empty on engines that are not checked
     * @param stage {@code null} if there are no tables of MovR, or if this version does not know their stage
     * @param gatewayRegion the region of the node that answered; {@code null} if the engine has no regions
     */
    public record Answer(
            Engine engine,
            String version,
            @Nullable Stage stage,
            @Nullable String gatewayRegion,
            List<String> accessProblems) {}

    private final GatewayPool gateway;

    DatabaseState(GatewayPool gateway) {
        this.gateway = gateway;
    }

    /**
     * Queries the database.
     *
     * @throws SQLException if the gateway does not answer, or leads to a database of another application
     */
    public Answer ask() throws SQLException {
        try (Connection connection = gateway.getConnection()) {
            String version = one(connection, "SELECT version()").orElse("");
            Engine engine = Engine.ofVersion(version);
            Stage stage = stage(connection);
            boolean hasRegions = engine.isMultiRegion() || (stage != null && !stage.isBefore(Stage.DATABASE_REGIONS));
            return new Answer(
                    engine,
                    version,
                    stage,
                    hasRegions ? gatewayRegion(connection) : null,
                    engine == Engine.POSTGRESQL ? ServiceAccess.problems(connection) : List.of());
        }
    }

    private static @Nullable Stage stage(Connection connection) throws SQLException {
        try {
            return Schema.readStage(connection).orElse(null);
        } catch (UserError another) {
            throw new SQLException(another.getMessage(), another);
        }
    }

    private static @Nullable String gatewayRegion(Connection connection) throws SQLException {
        try {
            return one(connection, "SELECT gateway_region()").orElse(null);
        } catch (SQLException withoutLocality) {
            if (withoutLocality.getSQLState() != null
                    && withoutLocality.getSQLState().startsWith("08")) {
                throw withoutLocality;
            }
            // A node that was started without --locality has no region.
            return null;
        }
    }

    private static Optional<String> one(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(query)) {
            return answer.next() ? Optional.ofNullable(answer.getString(1)) : Optional.empty();
        }
    }
}

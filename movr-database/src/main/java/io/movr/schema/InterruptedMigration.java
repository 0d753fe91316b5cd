package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;

/** Leaves a database as a migration does that is killed, to see that the next one goes on from there. */
public final class InterruptedMigration {

    private final Engine engine;
    private final Gateway gateway;
    private final RegionMap regions;

    /** Of a database that one server or one cluster has as a whole. */
    public InterruptedMigration(Engine engine, Gateway gateway, RegionMap regions) {
        this.engine = engine;
        this.gateway = gateway;
        this.regions = regions;
    }

    /**
     * Applies the first half of the statements of a stage that places rows, as a migration does that is killed in the middle;
     * nothing happens for other stages. What is left is done by {@link Schema#migrateTo(Stage)}.
     *
     * @throws UserError when one of them fails
     */
    public void inTheMiddle(Stage stage) {
        on(stage, "begun", RegionalMigration::applyHalf);
    }

    /**
     * Applies the statements of a stage that was reached before once more, as happens after a migration that was killed before
     * it was noted.
     *
     * @throws UserError when one of them cannot be repeated
     */
    public void atTheEnd(Stage stage) {
        on(stage, "repeated", RegionalMigration::apply);
    }

    private interface Part {
        void apply(RegionalMigration migration, Connection connection) throws SQLException;
    }

    private void on(Stage stage, String what, Part part) {
        if (!stage.isRegional()) {
            return;
        }
        try (Connection connection = gateway.connect(MigrationWatch.MIGRATING)) {
            part.apply(new RegionalMigration(engine, stage, regions, null, applied -> {}), connection);
        } catch (SQLException failed) {
            throw new UserError("Stage " + stage + " cannot be " + what + ": " + UserError.firstLine(failed), failed);
        }
    }
}

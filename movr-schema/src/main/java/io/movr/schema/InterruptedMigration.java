package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;

/** A migration that stops as if it was killed, to test that the next one continues. */
public final class InterruptedMigration {

    private final Engine engine;
    private final Gateway gateway;
    private final RegionMap regions;

    /** Creates an interrupted migration of a database that one server or one cluster has as a whole. */
    public InterruptedMigration(Engine engine, Gateway gateway, RegionMap regions) {
        this.engine = engine;
        this.gateway = gateway;
        this.regions = regions;
    }

    /**
     * Applies the first half of the statements of a stage that places rows, as if a migration was killed in the middle; other
     * stages are not changed. {@link Schema#migrateTo(Stage)} completes the stage.
     *
     * @throws UserError when one of them fails
     */
    public void inTheMiddle(Stage stage) {
        on(stage, "begun", RegionalMigration::applyHalf);
    }

    /**
     * Applies the statements of an applied stage again, as if a migration was killed before the stage was recorded.
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

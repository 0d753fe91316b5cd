package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.SqlState;
import io.movr.region.RegionMap;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * The migration of a database from its adoption until its rows are placed: adopts it if requested, migrates its schema, and waits
 * until every leaseholder is in its home region.
 */
public final class SchemaMigration {

    private final Cluster cluster;
    private final RegionMap regions;
    private final Listener listener;

    /**
     * A request to migrate a database.
     *
     * @param adopt whether to adopt a database that another program created
     * @param target the stage to migrate to; {@code null} to stay at the current stage
     * @param placementLimit the maximum wait for leaseholders; zero does not wait
     * @param answerLimit the maximum wait for one answer about leaseholders, in whole seconds
     */
    public record Request(boolean adopt, @Nullable Stage target, Duration placementLimit, Duration answerLimit) {}

    /**
     * The result of the wait for leaseholders.
     *
     * @param placement the last placement that was read; {@code null} if the command did not wait or got no answer
     * @param waited how long the command waited
     * @param unanswered the failure if the server did not answer in time, otherwise {@code null}
     */
    public record Result(
            @Nullable Placement placement,
            Duration waited,
            @Nullable UserError unanswered) {}

    /** The listener of a migration. */
    public interface Listener {

        /** Receives the differences between the database and MovR's schema, before the database is adopted. */
        void differences(List<String> differences);

        /** Receives the stage of a database that has been adopted. */
        void adopted(Stage stage);

        /** Receives the progress of the migration. */
        void migrating(MigrationProgress progress);

        /**
         * Receives the end of the migration.
         *
         * @param applied the stages that were applied; empty if the database was at the target already
         */
        void migrated(Stage target, List<Stage> applied, Duration elapsed);

        /** Receives what is missing until every leaseholder is in its home region. */
        void placing(String missing, Duration elapsed);
    }

    private SchemaMigration(Cluster cluster, RegionMap regions, Listener listener) {
        this.cluster = cluster;
        this.regions = regions;
        this.listener = listener;
    }

    /**
     * Migrates a database.
     *
     * @throws UserError if a step fails
     */
    public static Result of(Cluster cluster, RegionMap regions, Request request, Listener listener) {
        SchemaMigration migration = new SchemaMigration(cluster, regions, listener);
        if (request.adopt()) {
            migration.adopt();
        }
        Stage target = request.target();
        if (target != null) {
            migration.migrate(target);
            if (cluster.engine().isMultiRegion()
                    && target.movesRows()
                    && !request.placementLimit().isZero()) {
                return migration.awaitPlacement(request);
            }
        }
        return new Result(null, Duration.ZERO, null);
    }

    private void adopt() {
        Adoption adoption = new Adoption(cluster, regions);
        listener.differences(adoption.differences());
        adoption.adopt();
        listener.adopted(Stage.FOREIGN_KEYS);
    }

    private void migrate(Stage target) {
        long begun = System.nanoTime();
        List<Stage> applied =
                new Schema(cluster.engine(), cluster.gateway(), regions).migrateTo(target, listener::migrating);
        listener.migrated(target, applied, since(begun));
    }

    private Result awaitPlacement(Request request) {
        long begun = System.nanoTime();
        try {
            Placement placement = Placement.await(
                    cluster.gateway()
                            .with(
                                    PGProperty.SOCKET_TIMEOUT,
                                    Long.toString(request.answerLimit().toSeconds())),
                    regions,
                    request.placementLimit(),
                    missing -> listener.placing(missing, since(begun)));
            return new Result(placement, since(begun), null);
        } catch (UserError failed) {
            if (!SqlState.isSocketTimeout(failed)) {
                throw failed;
            }
            return new Result(null, since(begun), failed);
        }
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }
}

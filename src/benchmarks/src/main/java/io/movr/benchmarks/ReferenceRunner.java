package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A program with which the workload runner is compared. */
interface ReferenceRunner {

    /**
     * The result of a run.
     *
     * @param perSecond successful operations
     * @param p50Ms of all operations, as {@code p99Ms}; {@code null} if the program does not print it
     */
    record Speed(
            double perSecond,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms) {}

    /** Returns the name of the program. */
    String name();

    /** Whether it creates its tables in its own database; otherwise it uses those of the runner. */
    boolean hasOwnTables();

    /** Replaces its own tables, if it has any. */
    default void init(Gateway database) throws IOException, InterruptedException {}

    /**
     * Runs without a rate.
     *
     * @throws UserError if the program is missing, fails, or does not end
     */
    Speed run(Gateway database, int clients, int seconds) throws IOException, InterruptedException;

    /**
     * The reference runner pgbench, on the tables of the runner.
     *
     * @param program pgbench with its script
     */
    record OfPgbench(Pgbench program) implements ReferenceRunner {

        @Override
        public String name() {
            return "pgbench";
        }

        @Override
        public boolean hasOwnTables() {
            return false;
        }

        @Override
        public Speed run(Gateway database, int clients, int seconds) throws IOException, InterruptedException {
            return new Speed(
                    program.run(database, clients, Duration.ofSeconds(seconds)).perSecond(), null, null);
        }
    }
}

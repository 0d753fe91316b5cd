package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A program that others use for the same work, which this runner is compared with. */
interface ReferenceRunner {

    /**
     * What a run came to.
     *
     * @param perSecond operations that succeeded
     * @param p50Ms as {@code p99Ms} of all operations; {@code null} if the program does not tell
     */
    record Speed(
            double perSecond,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms) {}

    /** As people call it. */
    String name();

    /** Whether it makes its tables itself, in a database of its own; otherwise it uses those of the runner. */
    boolean hasOwnTables();

    /** Makes its own tables, if it has any, in place of those that are there. */
    default void init(Gateway database) throws IOException, InterruptedException {}

    /**
     * Runs as fast as it can.
     *
     * @throws UserError if the program is missing, fails, or does not end
     */
    Speed run(Gateway database, int clients, int seconds) throws IOException, InterruptedException;

    /**
     * pgbench, on the tables of the runner.
     *
     * @param program with its script
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

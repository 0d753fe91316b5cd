package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference runner {@code cockroach workload}.
 *
 * @param program the {@code cockroach} program
 * @param workload its name of the workload
 * @param options of the workload
 * @param hasOwnTables whether it creates its tables
 */
record CockroachWorkload(Path program, String workload, List<String> options, boolean hasOwnTables)
        implements ReferenceRunner {

    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final Duration INIT_LIMIT = Duration.ofHours(2);
    private static final String RESULT = "__result";

    @Override
    public String name() {
        return "cockroach workload";
    }

    @Override
    public void init(Gateway database) throws IOException, InterruptedException {
        Pgbench.output(command("init", database, List.of("--drop")), INIT_LIMIT);
    }

    @Override
    public Speed run(Gateway database, int clients, int seconds) throws IOException, InterruptedException {
        List<String> more = List.of("--concurrency=" + clients, "--duration=" + seconds + "s");
        return speed(Pgbench.output(command("run", database, more), GRACE.plusSeconds(seconds)));
    }

    /** Returns a command, with the password in the environment, where the program reads it as libpq does. */
    ExternalProgram command(String step, Gateway database, List<String> more) {
        List<String> command = new ArrayList<>(List.of(program.toString(), "workload", step, workload));
        command.addAll(options);
        command.addAll(more);
        command.add("--db=" + database.database());
        command.add(database.libpq());
        return ExternalProgram.of(command).with(database.password());
    }

    /** Reads the last line of the output, which sums up all operations. */
    static Speed speed(String output) {
        List<String> lines = output.lines().toList();
        for (int line = lines.size() - 1; line > 0; line--) {
            if (lines.get(line - 1).endsWith(RESULT)) {
                String[] fields = lines.get(line).strip().split("\\s+", -1);
                // Elapsed, errors, operations, a second, average, p50, p95, p99, maximum.
                return new Speed(
                        Double.parseDouble(fields[3]), Double.parseDouble(fields[5]), Double.parseDouble(fields[7]));
            }
        }
        throw new UserError("cockroach workload does not say its result: " + output.strip());
    }
}

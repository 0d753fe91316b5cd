package io.movr.workload;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * pgbench, with prepared statements.
 *
 * @param script that it runs, {@code null} for its own TPC-B
 */
record Pgbench(@Nullable String script) implements Rival {

    private static final int LIMIT_SECONDS = 120;
    private static final Pattern THROUGHPUT = Pattern.compile("(?m)^tps = ([0-9.]+)");

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
        Path file = Files.createTempFile("movr-pgbench-", ".sql");
        try {
            List<String> command = new ArrayList<>(List.of(
                    "pgbench",
                    "--no-vacuum",
                    "--protocol=prepared",
                    "--client=" + clients,
                    "--jobs=" + Math.min(clients, Runtime.getRuntime().availableProcessors()),
                    "--time=" + seconds));
            if (script == null) {
                command.add("--builtin=tpcb-like");
            } else {
                Files.writeString(file, script);
                command.add("--file=" + file);
            }
            String text = Rival.output(command, database.environment(), seconds + (long) LIMIT_SECONDS);
            Matcher throughput = THROUGHPUT.matcher(text);
            if (!throughput.find()) {
                throw new UserError("pgbench does not say its throughput: " + text.strip());
            }
            return new Speed(Double.parseDouble(throughput.group(1)), null, null);
        } finally {
            Files.delete(file);
        }
    }
}

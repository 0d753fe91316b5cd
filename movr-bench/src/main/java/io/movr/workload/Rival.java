package io.movr.workload;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A program that others use for the same work, which this runner is compared with. */
interface Rival {

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
     * Runs a program to its end.
     *
     * @return what it printed
     * @throws UserError if it is missing, fails, or takes longer than the limit
     */
    static String output(List<String> command, Map<String, String> environment, long limitSeconds)
            throws IOException, InterruptedException {
        Path said = Files.createTempFile("movr-benchmark-", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
            builder.environment().putAll(environment);
            Process process;
            try {
                process = builder.start();
            } catch (IOException missing) {
                throw new UserError(command.get(0) + " cannot be run: install it, or put it on the path", missing);
            }
            try {
                if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
                    throw new UserError(command.get(0) + " did not end within " + limitSeconds + " s");
                }
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(said);
            if (process.exitValue() != 0) {
                throw new UserError(command.get(0) + " failed: "
                        + text.lines()
                                .filter(line -> line.toLowerCase(Locale.ROOT).contains("error"))
                                .findFirst()
                                .orElse(text.strip()));
            }
            return text;
        } finally {
            Files.delete(said);
        }
    }
}

package io.movr.bench;

import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import io.movr.database.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An archive of the classes that every fork loads (application class-data sharing), which spares a fork about a quarter
 * of its start. What is measured begins after that.
 */
final class SharedClasses {

    /** What the option begins with that names the archive. */
    static final String OPTION = "-XX:SharedArchiveFile=";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private SharedClasses() {}

    /** Loads the classes of a fork, and exits. */
    public static void main(String[] arguments) {
        Subject.on(new Gateway(arguments[0]), 1);
        System.exit(0);
    }

    /**
     * Writes an archive and returns the options to use it; none where it could not be written, which costs time only.
     *
     * @param jvmOptions the options of a fork
     * @param database any of MovR's
     */
    static List<String> options(List<String> jvmOptions, Gateway database, Path archive) {
        List<String> command = new ArrayList<>();
        command.add(Machine.javaProgram());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:ArchiveClassesAtExit=" + archive,
                "-Xlog:disable",
                "-cp",
                System.getProperty("java.class.path"),
                SharedClasses.class.getName(),
                Gateway.OF_PARENT));
        try {
            boolean written = ExternalProgram.of(command)
                    .with(database.forChild())
                    .run(LIMIT)
                    .succeeded();
            return written && Files.exists(archive)
                    ? List.of("-Xshare:auto", OPTION + archive, "-Xlog:disable")
                    : List.of();
        } catch (IOException impossible) {
            return List.of();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}

package io.movr.bench;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.TemporaryFiles;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.lab.StageDatabases;
import io.movr.schema.Stage;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;

/** The databases of a run of benchmarks, one a stage, prepared once and shared by all forks. */
public final class BenchmarkDatabases implements AutoCloseable {

    /** Every machine gets the same rows. */
    public static final long SEED = 1;

    /** The system property with the location of Logback's configuration, and its value for forks. */
    static final String LOGGING = "logback.configurationFile";

    static final String LOGGING_FILE = "io/movr/logging.xml";

    private final StageDatabases databases;
    private final String scale;
    private final Path addresses;

    /**
     * Loads the rows and makes a database for each stage; the stages that are written get another one for that.
     *
     * @throws io.movr.UserError when that cannot be done
     */
    public BenchmarkDatabases(
            Cluster cluster,
            String scale,
            int connections,
            Set<Stage> read,
            Set<Stage> written,
            LoadProgress progress,
            Consumer<String> step) {
        DatasetSpec rows = Scale.named(scale).spec(SEED);
        this.scale = scale;
        databases = new StageDatabases(cluster, rows, connections, read, written, progress, step);
        try {
            addresses = write(read, written);
        } catch (IOException failed) {
            throw Closeables.closeAfter(
                    new UserError(
                            "The databases' addresses cannot be written (" + UserError.firstLine(failed) + ")", failed),
                    databases);
        }
    }

    /** Writes the addresses to a file that only this user may read, because all users can read a fork's arguments. */
    private Path write(Set<Stage> read, Set<Stage> written) throws IOException {
        Properties all = new Properties();
        read.forEach(stage ->
                all.setProperty(key(stage, false), databases.at(stage, false).url()));
        written.forEach(stage ->
                all.setProperty(key(stage, true), databases.at(stage, true).url()));
        Path file = TemporaryFiles.file("bench-", ".properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            all.store(writer, null);
        }
        return file;
    }

    /** Returns the options of a virtual machine that tell a fork where they are. */
    public List<String> jvmOptions() {
        return List.of("-D" + LOGGING + "=" + LOGGING_FILE, "-D" + property(scale) + "=" + addresses);
    }

    /** Tells benchmarks that run in this virtual machine where they are. */
    public void exportAddresses() {
        System.setProperty(property(scale), addresses.toString());
    }

    /** Returns one of them, for questions that all answer alike. */
    public Gateway any() {
        return databases.any();
    }

    @Override
    public void close() {
        try (databases) {
            Files.deleteIfExists(addresses);
        } catch (IOException left) {
            throw new UncheckedIOException(left);
        }
    }

    /**
     * Returns the database of a stage, asked for by a fork.
     *
     * @throws IllegalStateException when no database was prepared
     */
    static Gateway prepared(String scale, Stage stage, boolean written) {
        String file = System.getProperty(property(scale));
        Properties all = new Properties();
        if (file != null) {
            try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                all.load(reader);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
        String url = all.getProperty(key(stage, written));
        if (url == null) {
            throw new IllegalStateException("No database was prepared for stage " + stage + " at scale " + scale
                    + ": run the benchmarks by 'movr bench' or 'java -jar benchmarks.jar'");
        }
        return new Gateway(url);
    }

    private static String property(String scale) {
        return "movr.bench.databases." + scale;
    }

    private static String key(Stage stage, boolean written) {
        return stage + (written ? ".written" : ".read");
    }
}

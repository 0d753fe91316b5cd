package io.movr.overhead;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Table;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/**
 * The bulk loader against bare COPYs of the same rows from prepared files, over the same number of connections, into
 * the same empty tables with their keys and indexes; both kinds take turns, each load into a database of its own.
 */
public final class LoadBenchmark {

    /**
     * What was measured.
     *
     * @param rows of one load
     * @param bytes of one load
     * @param loaderSeconds of the loads by the loader, generating included
     * @param copySeconds of the loads from files
     * @param ratio the loader's speed over that of bare COPYs, with its 95% interval
     */
    public record Result(
            long rows, long bytes, int connections, Summary loaderSeconds, Summary copySeconds, Interval ratio) {

        /** The figures as a terminal shows them. */
        public String text() {
            return String.format(
                    Locale.ROOT,
                    "%,d rows, %,.1f MB, %d %s, %d loads of each kind%n%s%n%s%nThe loader runs at %s × the speed of"
                            + " bare COPYs from files.%n",
                    rows,
                    bytes / 1e6,
                    connections,
                    connections == 1 ? "connection" : "connections",
                    copySeconds.n(),
                    line("bare COPY", copySeconds),
                    line("loader", loaderSeconds),
                    ratio.text(2));
        }

        private String line(String name, Summary summary) {
            return String.format(
                    Locale.ROOT,
                    "%-10s median %.2f s (%.2f to %.2f), %,.0f rows/s",
                    name,
                    summary.median(),
                    summary.min(),
                    summary.max(),
                    rows / summary.median());
        }
    }

    private final Cluster cluster;
    private final DatasetSpec spec;
    private final int connections;

    public LoadBenchmark(Cluster cluster, DatasetSpec spec, int connections) {
        this.cluster = cluster;
        this.spec = spec;
        this.connections = connections;
    }

    /**
     * Measures.
     *
     * @param rounds of four loads: loader, files, files, loader
     */
    public Result run(int rounds, Consumer<String> step) {
        Path folder = null;
        try (Databases databases = new Databases(cluster)) {
            folder = Files.createTempDirectory("movr-copy-files-");
            step.accept("Writing the rows to files…");
            List<Path> files = BulkLoader.writeFiles(spec, folder);
            // For Ctrl-C, after which nothing below runs; files go before the folder that was named before them.
            folder.toFile().deleteOnExit();
            files.forEach(file -> file.toFile().deleteOnExit());
            Gateway empty = databases.create("empty");
            new Schema(cluster.engine(), empty).migrateTo(Stage.BASELINE);
            double[] loader = new double[2 * rounds];
            double[] copy = new double[2 * rounds];
            for (int round = 0; round < rounds; round++) {
                step.accept(String.format(Locale.ROOT, "Round %d of %d…", round + 1, rounds));
                loader[2 * round] = once(databases, empty, this::load);
                copy[2 * round] = once(databases, empty, target -> copy(target, files));
                copy[2 * round + 1] = once(databases, empty, target -> copy(target, files));
                loader[2 * round + 1] = once(databases, empty, this::load);
            }
            long bytes = 0;
            for (Path file : files) {
                bytes += Files.size(file);
            }
            return new Result(
                    spec.totalRows(),
                    bytes,
                    connections,
                    Summary.of(loader),
                    Summary.of(copy),
                    Comparison.ofRuns(copy, loader));
        } catch (IOException | SQLException failed) {
            throw new UserError("The benchmark failed: " + UserError.firstLine(failed), failed);
        } finally {
            delete(folder);
        }
    }

    private interface Load {
        double into(Gateway target) throws IOException, SQLException;
    }

    private double once(Databases databases, Gateway empty, Load load) throws IOException, SQLException {
        Gateway target = databases.copy(empty, "target");
        try (Connection connection = target.connect()) {
            if (cluster.embedded()) {
                Rows.execute(connection, "CHECKPOINT");
            }
        }
        double seconds = load.into(target);
        databases.drop(target);
        return seconds;
    }

    private double load(Gateway target) {
        return new BulkLoader(cluster.engine(), target, new LoadProgress())
                .load(spec, connections, IfFilled.REFUSE)
                .copySeconds();
    }

    private double copy(Gateway target, List<Path> files) throws IOException, SQLException {
        Queue<Path> waiting = new ConcurrentLinkedQueue<>(files);
        ExecutorService workers = Executors.newFixedThreadPool(connections);
        List<Connection> open = new ArrayList<>();
        try {
            long begun = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int number = 0; number < connections; number++) {
                Connection connection = target.connect();
                connection.setAutoCommit(false);
                open.add(connection);
                running.add(workers.submit(() -> {
                    for (Path file = waiting.poll(); file != null; file = waiting.poll()) {
                        copy(connection, file);
                    }
                    return null;
                }));
            }
            for (Future<?> worker : running) {
                worker.get();
            }
            for (Connection connection : open) {
                connection.commit();
            }
            return (System.nanoTime() - begun) / 1e9;
        } catch (ExecutionException failed) {
            throw new IOException(UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } finally {
            workers.shutdownNow();
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    private static void copy(Connection connection, Path file) throws IOException, SQLException {
        String name = String.valueOf(file.getFileName());
        Table table = Table.valueOf(name.substring(name.indexOf('.') + 1).toUpperCase(Locale.ROOT));
        try (InputStream rows = Files.newInputStream(file)) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(table.copyStatement(), rows, 1 << 16);
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException left) {
            throw new UserError("Cannot delete " + folder + ": " + UserError.firstLine(left), left);
        }
    }
}

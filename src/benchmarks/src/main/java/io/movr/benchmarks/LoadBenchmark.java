package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Folders;
import io.movr.database.Gateway;
import io.movr.database.TemporaryFiles;
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
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/**
 * A comparison of the bulk loader with bare COPYs of the same rows from prepared files, over the same number of connections, into
 * the same empty tables with their keys and indexes; on CockroachDB also with {@code cockroach workload init movr} with as many
 * rows, which imports them. The loader and the other program alternate; each load has its own database.
 */
final class LoadBenchmark {

    /**
     * The times of the loader and of another program.
     *
     * @param name of the other program
     * @param what the part that was timed
     * @param loaderSeconds of the loads by the loader, including the generation of the rows
     * @param otherSeconds of the other loads
     */
    record Measured(String name, String what, Summary loaderSeconds, Summary otherSeconds, Interval ratio) {

        private Measured(String name, String what, double[] loader, double[] other) {
            this(name, what, Summary.of(loader), Summary.of(other), Comparison.ofRuns(other, loader));
        }
    }

    /**
     * The result of the comparison.
     *
     * @param rows of one load
     * @param bytes of one load in COPY's text format
     */
    record Result(long rows, long bytes, int connections, List<Measured> measured) {

        /** Returns the figures for a terminal. */
        String text() {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%,d rows, %,.1f MB, %d %s, %d loads of each kind%n",
                    rows,
                    bytes / 1e6,
                    connections,
                    connections == 1 ? "connection" : "connections",
                    measured.get(0).loaderSeconds().n()));
            for (Measured one : measured) {
                text.append(String.format(
                        Locale.ROOT,
                        "%n%s%n%s%n%s%nThe loader runs at %s × the speed of %s.%n",
                        Character.toUpperCase(one.what().charAt(0)) + one.what().substring(1) + ":",
                        line(one.name(), one.otherSeconds()),
                        line("loader", one.loaderSeconds()),
                        one.ratio().text(2),
                        one.name()));
            }
            return text.toString();
        }

        private String line(String name, Summary summary) {
            return String.format(
                    Locale.ROOT,
                    "%-28s median %.2f s (%.2f to %.2f), %,.0f rows/s",
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
    private final Supplier<Path> cockroach;

    /**
     * Creates a comparison.
     *
     * @param cockroach returns the {@code cockroach} program; called on CockroachDB only
     */
    LoadBenchmark(Cluster cluster, DatasetSpec spec, int connections, Supplier<Path> cockroach) {
        this.cluster = cluster;
        this.spec = spec;
        this.connections = connections;
        this.cockroach = cockroach;
    }

    /**
     * Runs the comparison.
     *
     * @param rounds of two loads of each kind, the second one in the opposite order
     */
    Result run(int rounds, Consumer<String> step) {
        try (Databases databases = new Databases(cluster)) {
            Path folder = TemporaryFiles.folder("copy-files-");
            try {
                return run(databases, folder, rounds, step);
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException | SQLException failed) {
            throw new UserError("The benchmark failed: " + UserError.firstLine(failed), failed);
        }
    }

    private Result run(Databases databases, Path folder, int rounds, Consumer<String> step)
            throws IOException, SQLException {
        step.accept("Writing the rows to files…");
        List<Path> files = BulkLoader.writeFiles(spec, folder);
        List<Contest> contests = new ArrayList<>();
        contests.add(new Contest(
                "bare COPY",
                "rows into empty tables",
                emptyTables(databases),
                this::load,
                target -> copy(target, files)));
        if (cluster.engine() == Engine.COCKROACHDB) {
            CockroachWorkload workload = new CockroachWorkload(cockroach.get(), "movr", counts(), true);
            contests.add(new Contest(
                    "cockroach workload init movr",
                    "tables, rows and foreign keys; the loader's statistics too",
                    () -> databases.create("target"),
                    this::loadWhole,
                    target -> init(workload, target)));
        }
        List<Measured> measured = new ArrayList<>();
        for (Contest contest : contests) {
            double[] loader = new double[2 * rounds];
            double[] other = new double[2 * rounds];
            for (int load = 0; load < 2 * rounds; load++) {
                step.accept(String.format(
                        Locale.ROOT, "Comparison with %s: round %d of %d…", contest.name(), load / 2 + 1, rounds));
                for (boolean byLoader : load % 2 == 0 ? List.of(true, false) : List.of(false, true)) {
                    (byLoader ? loader : other)[load] =
                            once(databases, contest.targets().get(), byLoader ? contest.loader() : contest.other());
                }
            }
            measured.add(new Measured(contest.name(), contest.what(), loader, other));
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return new Result(spec.totalRows(), bytes, connections, measured);
    }

    private List<String> counts() {
        return List.of(
                "--num-users=" + spec.count(Table.USERS),
                "--num-vehicles=" + spec.count(Table.VEHICLES),
                "--num-rides=" + spec.count(Table.RIDES),
                "--num-histories=" + spec.count(Table.VEHICLE_LOCATION_HISTORIES),
                "--num-promo-codes=" + spec.count(Table.PROMO_CODES),
                "--num-user-promos=" + spec.count(Table.USER_PROMO_CODES));
    }

    /** The loader and another program, with the databases that they fill. */
    private record Contest(String name, String what, Supplier<Gateway> targets, Load loader, Load other) {}

    /** Databases with tables and without rows. */
    private Supplier<Gateway> emptyTables(Databases databases) {
        Function<String, Gateway> withTables = name -> {
            Gateway database = databases.create(name);
            new Schema(cluster.engine(), database).migrateTo(Stage.BASELINE);
            return database;
        };
        if (!cluster.engine().copiesDatabases()) {
            return () -> withTables.apply("target");
        }
        Gateway empty = withTables.apply("empty");
        return () -> databases.copy(empty, "target");
    }

    private interface Load {
        double into(Gateway target) throws IOException, SQLException;
    }

    private double once(Databases databases, Gateway target, Load load) throws IOException, SQLException {
        Server.checkpoint(cluster);
        double seconds = load.into(target);
        databases.drop(target);
        return seconds;
    }

    private double load(Gateway target) {
        return new BulkLoader(cluster.engine(), target, new LoadProgress())
                .load(spec, connections, IfFilled.REFUSE)
                .copySeconds();
    }

    private double loadWhole(Gateway target) {
        long begun = System.nanoTime();
        load(target);
        return (System.nanoTime() - begun) / 1e9;
    }

    private static double init(CockroachWorkload workload, Gateway target) throws IOException {
        long begun = System.nanoTime();
        try {
            workload.init(target);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
        return (System.nanoTime() - begun) / 1e9;
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
}

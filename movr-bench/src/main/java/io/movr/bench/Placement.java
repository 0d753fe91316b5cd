package io.movr.bench;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.lab.WakefulProcessors;
import io.movr.report.BenchResults;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives the server and the benchmarks cores of their own, where this system lets us. */
final class Placement {

    /** The property that tells a fork its cores. */
    static final String PROPERTY = "movr.bench.cores";

    private final List<String> done = new ArrayList<>();
    private final List<String> notDone = new ArrayList<>();
    private @Nullable String coresOfBenchmarks;

    Placement(Cluster cluster, Gateway database) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (!cluster.embedded()) {
            notDone.add("The server was not started here, so it runs where its own settings say.");
        } else if (cores < 2) {
            notDone.add("There is one core, which server and benchmark share.");
        } else {
            place(database, cores);
        }
        if (WakefulProcessors.arePossible()) {
            done.add("While reading is measured a process of idle priority keeps each core awake.");
        } else {
            notDone.add("Cores may fall asleep between calls, and waking up is in every sample.");
        }
        notDone.add("Other processes of this machine, its clock rate and its neighbours on the same hardware.");
    }

    private void place(Gateway database, int cores) {
        String server = range(0, cores / 2);
        String benchmarks = range(cores / 2, cores);
        try (Connection connection = database.connect("movr-bench-placement");
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT pg_backend_pid()")) {
            answer.next();
            ProcessHandle postmaster = ProcessHandle.of(answer.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow(() -> new IOException("the server's process cannot be seen"));
            List<ProcessHandle> all = Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .toList();
            for (ProcessHandle process : all) {
                setCores(process.pid(), server);
            }
            coresOfBenchmarks = benchmarks;
            done.add("The server runs on core " + server + ", the benchmarks on core " + benchmarks + ".");
        } catch (IOException | SQLException impossible) {
            notDone.add("Server and benchmark share all cores: " + impossible.getMessage() + ".");
        }
    }

    /** What a fork must be told. */
    List<String> jvmOptions() {
        return coresOfBenchmarks == null ? List.of() : List.of("-D" + PROPERTY + "=" + coresOfBenchmarks);
    }

    BenchResults.Pinning told() {
        return new BenchResults.Pinning(List.copyOf(done), List.copyOf(notDone));
    }

    /** Moves this virtual machine to the cores that it was told, with all its threads. */
    static void apply() {
        String cores = System.getProperty(PROPERTY);
        if (cores != null) {
            try {
                setCores(ProcessHandle.current().pid(), cores);
            } catch (IOException impossible) {
                throw new IllegalStateException("Cannot move to core " + cores, impossible);
            }
        }
    }

    private static void setCores(long process, String cores) throws IOException {
        Process taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cores, Long.toString(process))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!taskset.waitFor(10, TimeUnit.SECONDS) || (taskset.exitValue() != 0 && isAlive(process))) {
                throw new IOException("taskset (util-linux) does not work here");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
    }

    private static String range(int from, int until) {
        return until - from == 1 ? Integer.toString(from) : from + "-" + (until - 1);
    }
}

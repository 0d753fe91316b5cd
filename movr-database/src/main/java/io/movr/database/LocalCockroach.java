package io.movr.database;

import io.movr.UserError;
import io.movr.region.Distances;
import io.movr.region.Region;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A CockroachDB cluster on this machine, started from the {@code cockroach} program: one node, or several in each region, joined
 * by {@link Links} that delay traffic between regions. It listens on the loopback address only, keeps its rows in memory or in
 * temporary files, and ends with this process, even if this process is killed.
 */
public final class LocalCockroach implements Cluster {

    private static final Logger LOG = LoggerFactory.getLogger(LocalCockroach.class);
    private static final String DATABASE = "movr";
    private static final String FOLDER = "movr-cockroach-";
    private static final String STORE = "store-";
    private static final int JOINED = 3;
    /** An in-memory store of the minimum size. */
    private static final String IN_MEMORY = "--store=type=mem,size=640MiB";

    private static final long MEBIBYTE = 1L << 20;
    private static final long MAX_MEBIBYTES = 1024;
    private static final long MIN_MEBIBYTES = 128;
    private static final int DEMO_NODES = 9;
    private static final int PORT_TRIES = 50;
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final OwnerLock lock;
    private final List<SupervisedProcess> nodes = new ArrayList<>();
    /** The command and the log of each of the nodes, in the same order. */
    private final List<Start> starts = new ArrayList<>();

    private boolean onDisk;
    private final Map<Region, Gateway> gateways = new LinkedHashMap<>();
    private int nodesARegion;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ShutdownHook endHook = new ShutdownHook("cockroach-stopper", this::stop);
    private @Nullable Links links;
    private @Nullable RegionLinks between;
    private @Nullable Gateway gateway;
    private String version = "";

    private LocalCockroach() {
        try {
            lock = TemporaryFiles.owned(FOLDER);
            folder = lock.folder();
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot make a folder for CockroachDB's logs (" + UserError.firstLine(failed) + ")", failed);
        }
        endHook.add();
    }

    /**
     * Starts one node.
     *
     * @param program the {@code cockroach} program, {@code null} for that on the path
     * @throws UserError when it is missing or does not start, naming its log
     */
    public static LocalCockroach ofOneNode(@Nullable Path program) {
        return ofOneNode(program, false);
    }

    /**
     * As {@link #ofOneNode(Path)}.
     *
     * @param onDisk whether it keeps its rows in files until it is closed, so that it can be killed and started again
     */
    public static LocalCockroach ofOneNode(@Nullable Path program, boolean onDisk) {
        Path binary = checked(program, CockroachVersion.OLDEST);
        LocalCockroach cluster = new LocalCockroach();
        cluster.onDisk = onDisk;
        return cluster.started(() -> {
            List<Integer> ports = Ports.find(0, 2);
            cluster.start(
                    binary,
                    "node",
                    "start-single-node",
                    ports.get(0),
                    ports.get(1),
                    List.of(
                            onDisk ? cluster.onDisk(1) : "--store=type=mem,size=30%",
                            "--cache=15%",
                            "--max-sql-memory=15%"));
            cluster.gateway = cluster.await(ports.get(0));
        });
    }

    /**
     * Starts the nodes of each region.
     *
     * @param program the {@code cockroach} program, {@code null} for that on the path
     * @param regions the primary one first
     * @param nodes of each region, at least 1
     * @param distances between them, from the start; {@link #distant} removes and restores them
     * @param onDisk whether nodes keep their rows in files until the cluster is closed, so that a region which was killed
     *     can be started again; otherwise in memory
     * @throws UserError when it is missing or does not start, naming its log
     */
    public static LocalCockroach ofRegions(
            @Nullable Path program, List<Region> regions, int nodes, Distances distances, boolean onDisk) {
        Path binary = checked(program, CockroachVersion.FREE_REGIONS);
        LocalCockroach cluster = new LocalCockroach();
        cluster.nodesARegion = nodes;
        cluster.onDisk = onDisk;
        return cluster.started(() -> cluster.startRegions(binary, regions, new RegionLinks(distances)));
    }

    /**
     * Starts {@code cockroach demo --global}, which simulates the distances between its own three regions itself: they can
     * be neither changed nor cut.
     *
     * @param program the {@code cockroach} program, {@code null} for that on the path
     * @param regions those whose gateways are asked for, the primary one first
     * @throws UserError when it is missing or does not start, naming its log, or has other regions
     */
    public static LocalCockroach demo(@Nullable Path program, List<Region> regions) {
        Path binary = checked(program, CockroachVersion.FREE_REGIONS);
        LocalCockroach cluster = new LocalCockroach();
        return cluster.started(() -> cluster.startDemo(binary, regions));
    }

    private String onDisk(int node) {
        Path store = folder.resolve(STORE + node);
        if (store.toString().contains(",")) {
            throw new UserError(
                    "'" + folder + "' has a comma in its name, which ends a path for CockroachDB: name another"
                            + " folder with --data-dir");
        }
        return "--store=path=" + store + ",ballast-size=0";
    }

    private record Start(ExternalProgram command, Path log, int port) {}

    private interface Step {
        void run() throws IOException;
    }

    private LocalCockroach started(Step step) {
        try {
            step.run();
            createDatabase();
            version = Cluster.askVersion(gateway());
            return this;
        } catch (IOException failed) {
            close();
            throw new UserError("CockroachDB does not start (" + UserError.firstLine(failed) + ")", failed);
        } catch (RuntimeException failed) {
            // The logs are kept, because the message names one, until the next start finds their owner gone.
            closed.set(true);
            end();
            try {
                deleteStores();
            } catch (IOException left) {
                failed.addSuppressed(left);
            }
            throw failed;
        }
    }

    private void startRegions(Path binary, List<Region> regions, RegionLinks distances) throws IOException {
        int count = regions.size() * nodesARegion;
        Links all = new Links();
        links = all;
        between = distances;
        List<List<String>> localityAddresses = new ArrayList<>();
        // While the ports of the nodes are held, so that no link gets one of them.
        List<Integer> ports;
        try (Ports held = Ports.hold(0, 2 * count)) {
            ports = held.numbers();
            for (int node = 0; node < count; node++) {
                localityAddresses.add(
                        openLinks(all, distances, regions, regions.get(node / nodesARegion), ports.get(node)));
            }
        }
        String join = ports.stream()
                .limit(JOINED)
                .map(port -> "127.0.0.1:" + port)
                .reduce((one, other) -> one + "," + other)
                .orElseThrow();
        for (int node = 0; node < count; node++) {
            Region region = regions.get(node / nodesARegion);
            int port = ports.get(node);
            List<String> options = new ArrayList<>(List.of(
                    "--advertise-addr=127.0.0.1:" + port,
                    "--join=" + join,
                    "--locality=region=" + region + ",az=" + (char) ('a' + node % nodesARegion)));
            options.add(onDisk ? onDisk(node + 1) : IN_MEMORY);
            options.addAll(memoryLimits(Machine.memoryBytes(), count));
            if (!localityAddresses.get(node).isEmpty()) {
                options.add("--locality-advertise-addr=" + String.join(",", localityAddresses.get(node)));
            }
            start(binary, "node-" + (node + 1), "start", port, ports.get(count + node), options);
        }
        initialise(binary, ports.get(0));
        for (int place = 0; place < regions.size(); place++) {
            gateways.put(regions.get(place), await(ports.get(place * nodesARegion)));
        }
        gateway = gateways.get(regions.get(0));
    }

    /**
     * Returns memory limits for the size of the machine. The heaps of all nodes take half of its memory at most, and a gigabyte
     * each at most; stores and caches come on top.
     */
    static List<String> memoryLimits(long memoryBytes, int nodes) {
        long mebibytes = Math.min(MAX_MEBIBYTES, memoryBytes / 2 / nodes / MEBIBYTE);
        return List.of(
                "--cache=64MiB",
                "--max-sql-memory=" + Math.max(MIN_MEBIBYTES, mebibytes / 2) + "MiB",
                "--max-go-memory=" + Math.max(2 * MIN_MEBIBYTES, mebibytes) + "MiB");
    }

    private static List<String> openLinks(
            Links all, RegionLinks distances, List<Region> regions, Region region, int port) {
        List<String> localityAddresses = new ArrayList<>();
        for (Region from : regions) {
            if (!from.equals(region)) {
                Links.Link link = all.open(0, "127.0.0.1", port, Duration.ZERO);
                distances.add(from, region, link);
                localityAddresses.add("region=" + from + "@127.0.0.1:" + link.port());
            }
        }
        return localityAddresses;
    }

    private void startDemo(Path binary, List<Region> regions) throws IOException {
        int first = consecutivePorts(DEMO_NODES);
        int httpPort = Ports.find(0, 1).get(0);
        Path input = folder.resolve("input");
        nodes.add(ExternalProgram.of(
                        "sh",
                        "-c",
                        // It ends when its standard input does: this one has a writer, itself, and says nothing.
                        "mkfifo \"$1\" && exec 0<>\"$1\" && shift && exec \"$@\"",
                        "demo",
                        input.toString(),
                        binary.toString(),
                        "demo",
                        "--global",
                        "--nodes=" + DEMO_NODES,
                        "--no-example-database",
                        "--insecure",
                        "--multitenant=false",
                        "--sql-port=" + first,
                        "--http-port=" + httpPort)
                .start(folder.resolve("node.log")));
        Map<String, Gateway> found = new LinkedHashMap<>();
        for (int node = 0; node < DEMO_NODES; node++) {
            Gateway endpoint = await(first + node);
            Cluster.askRegion(endpoint.toDatabase("defaultdb"))
                    .ifPresent(region -> found.putIfAbsent(region, endpoint));
        }
        for (Region region : regions) {
            Gateway endpoint = found.get(region.name());
            if (endpoint == null) {
                throw new UserError("cockroach demo --global has the regions " + found.keySet() + ", not " + region
                        + ": leave out --demo or --home");
            }
            gateways.put(region, endpoint);
        }
        gateway = gateways.get(regions.get(0));
    }

    /** Returns the first of several ports in a row that are free. */
    private static int consecutivePorts(int count) throws IOException {
        for (int attempt = 0; attempt < PORT_TRIES; attempt++) {
            int first = Ports.find(0, 1).get(0);
            try {
                return Ports.find(first, count).get(0);
            } catch (IOException taken) {
                LOG.trace("Not {} ports in a row from {}", count, first, taken);
            }
        }
        throw new IOException("no " + count + " ports in a row are free");
    }

    private void start(Path binary, String name, String command, int port, int httpPort, List<String> options)
            throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "env",
                // A node examines one replica a second by default, so leases take minutes to come to their regions.
                // With 20 ms nine nodes kept two cores busy and a load took five times as long.
                "COCKROACH_SCAN_MAX_IDLE_TIME=100ms",
                binary.toString(),
                command,
                "--insecure",
                "--listen-addr=127.0.0.1:" + port,
                "--http-addr=127.0.0.1:" + httpPort,
                "--log-dir=" + folder.resolve(name)));
        words.addAll(options);
        ExternalProgram program = ExternalProgram.of(words);
        // Nodes of regions stay in the session of the links and services between them.
        Start start =
                new Start(nodesARegion == 0 ? program.inOwnSession() : program, folder.resolve(name + ".log"), port);
        starts.add(start);
        nodes.add(start.command().start(start.log()));
    }

    private void initialise(Path binary, int port) throws IOException {
        Path log = folder.resolve("init.log");
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            int exit = run(List.of(binary.toString(), "init", "--insecure", "--host=127.0.0.1:" + port), log);
            // One that was cut off may have done it all the same.
            if (exit == 0 || Logs.text(log).contains("already been initialized")) {
                return;
            }
            refuseIfDead();
            if (System.nanoTime() > end) {
                throw new UserError("CockroachDB cannot be initialised: " + lastLine(log) + " (log: " + log + ")");
            }
            pause();
        }
    }

    private Gateway await(int port) throws IOException {
        Gateway endpoint =
                new Gateway("jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE + "?user=root&sslmode=disable");
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try (Connection connection = endpoint.toDatabase("defaultdb").connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
                return endpoint;
            } catch (SQLException | UserError notYet) {
                refuseIfDead();
                if (System.nanoTime() > end) {
                    throw new UserError(
                            "CockroachDB does not answer at port " + port + ": " + UserError.firstLine(notYet)
                                    + " (logs: " + folder + ")",
                            notYet);
                }
                pause();
            }
        }
    }

    private void refuseIfDead() throws IOException {
        for (int node = 0; node < nodes.size(); node++) {
            if (!nodes.get(node).isAlive()) {
                // Of cockroach demo there is none, but one process.
                Path log = starts.isEmpty()
                        ? folder.resolve("node.log")
                        : starts.get(node).log();
                throw new UserError("CockroachDB ended: " + lastLine(log) + " (log: " + log + ")");
            }
        }
    }

    private static String lastLine(Path log) throws IOException {
        if (!Files.exists(log)) {
            return "it says nothing";
        }
        List<String> lines = Logs.lines(log).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("*"))
                .toList();
        return lines.stream()
                .filter(line -> line.startsWith("ERROR") || line.contains("error:"))
                .reduce((earlier, later) -> later)
                .orElseGet(() -> lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(250);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Starting CockroachDB was interrupted", interrupted);
        }
    }

    private static int run(List<String> command, Path log) throws IOException {
        try {
            return ExternalProgram.of(command).run(Duration.ofSeconds(30), log);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExternalProgram.LATE;
        }
    }

    private void createDatabase() {
        try (Connection connection = gateway().toDatabase("defaultdb").connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS " + DATABASE);
            // Replicas that a changed zone configuration moves need not wait until the node examines their range.
            trySetting(statement, "kv.enqueue_in_replicate_queue_on_span_config_update.enabled = true");
            if (!gateways.isEmpty()) {
                preferForSystem(statement, gateways.keySet().iterator().next());
            }
        } catch (SQLException failed) {
            throw new UserError("Cannot create the database " + DATABASE + ": " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Places the leases of the system ranges in the primary region, where schema changes run. Each schema change writes these
     * ranges dozens of times, and without a preference their leases may be in any region.
     */
    private static void preferForSystem(Statement statement, Region primary) throws SQLException {
        for (String ranges : List.of("DATABASE system", "RANGE meta", "RANGE system", "RANGE liveness")) {
            statement.execute(
                    "ALTER " + ranges + " CONFIGURE ZONE USING lease_preferences = '[[+region=" + primary + "]]'");
        }
    }

    /** Changes a setting that not every version has; a missing setting is not an error. */
    private static void trySetting(Statement statement, String setting) {
        try {
            statement.execute("SET CLUSTER SETTING " + setting);
        } catch (SQLException unknown) {
            LOG.warn("Replicas will take longer to move to their regions: {}", UserError.firstLine(unknown));
        }
    }

    /** Returns the program, after checking its version. */
    private static Path checked(@Nullable Path program, CockroachVersion oldest) {
        Path binary = program(program);
        if (!Files.isExecutable(binary)) {
            throw new UserError("'" + binary + "' is not an executable program: correct --cockroach-bin");
        }
        String tag;
        try {
            Path answer = TemporaryFiles.file("cockroach-version-", ".txt");
            try {
                int exit = run(List.of(binary.toString(), "version", "--build-tag"), answer);
                tag = Logs.text(answer).strip();
                if (exit != 0) {
                    throw new UserError("'" + binary + " version' fails: " + lastLine(answer));
                }
            } finally {
                Files.delete(answer);
            }
        } catch (IOException failed) {
            throw new UserError("'" + binary + "' cannot be run (" + UserError.firstLine(failed) + ")", failed);
        }
        CockroachVersion version = CockroachVersion.in(tag)
                .orElseThrow(() -> new UserError("'" + binary + "' says that it is '" + tag
                        + "', which is no version of CockroachDB: correct --cockroach-bin"));
        if (version.compareTo(oldest) < 0) {
            throw new UserError("CockroachDB " + tag + " is too old: " + oldest + " or newer is needed"
                    + (oldest.equals(CockroachVersion.FREE_REGIONS)
                            ? ", because before that regions take a licence"
                            : ""));
        }
        if (!version.equals(CockroachVersion.TRIED)) {
            LOG.warn("CockroachDB {} was not tried with movr yet; {} was", tag, CockroachVersion.TRIED);
        }
        return binary;
    }

    /**
     * Returns the {@code cockroach} program.
     *
     * @param named {@code null} for the one on the path
     * @throws UserError if there is none
     */
    public static Path program(@Nullable Path named) {
        return named != null
                ? named
                : onPath().orElseThrow(() -> new UserError("The program 'cockroach' is not on the path: install"
                        + " CockroachDB, name its program with --cockroach-bin, or name a running cluster with"
                        + " --url"));
    }

    /** Returns the {@code cockroach} program on the path, if there is one. */
    public static Optional<Path> onPath() {
        String path = System.getenv("PATH");
        return Arrays.stream((path == null ? "" : path).split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "cockroach"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public Optional<RegionLinks> links() {
        return Optional.ofNullable(between);
    }

    @Override
    public void kill(Region region) {
        int first = firstNode(region);
        if (first < 0) {
            Cluster.super.kill(region);
            return;
        }
        new Nodes(region.name(), first, nodesARegion).kill();
    }

    @Override
    public void restart(Region region) {
        int first = firstNode(region);
        if (first < 0) {
            Cluster.super.restart(region);
            return;
        }
        if (!onDisk) {
            throw new UserError("The nodes of " + region + " kept their rows in memory, which are lost");
        }
        new Nodes(region.name(), first, nodesARegion).start();
    }

    /** Returns each node, and the nodes of each region together. */
    @Override
    public List<FaultTarget> faultTargets() {
        if (!onDisk) {
            return List.of();
        }
        List<FaultTarget> targets = new ArrayList<>();
        for (int node = 0; node < starts.size(); node++) {
            targets.add(new Nodes("node-" + (node + 1), node, 1));
        }
        if (nodesARegion > 1) {
            gateways.keySet().forEach(region -> targets.add(new Nodes(region.name(), firstNode(region), nodesARegion)));
        }
        return targets;
    }

    /** Several nodes, which are changed one after the other. */
    private final class Nodes implements FaultTarget {

        private final String name;
        private final int first;
        private final int count;

        Nodes(String name, int first, int count) {
            this.name = name;
            this.first = first;
            this.count = count;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void kill() {
            each("killed", SupervisedProcess::kill);
        }

        @Override
        public void pause() {
            each("paused", SupervisedProcess::pause);
        }

        @Override
        public void resume() {
            each("resumed", SupervisedProcess::resume);
        }

        private List<SupervisedProcess> processes() {
            return nodes.subList(first, first + count);
        }

        private void each(String done, Signal signal) {
            try {
                for (SupervisedProcess node : processes()) {
                    signal.to(node);
                }
            } catch (IOException gone) {
                throw new UserError(name + " cannot be " + done + ": " + UserError.firstLine(gone), gone);
            }
        }

        @Override
        public void start() {
            try {
                for (int node = first; node < first + count; node++) {
                    nodes.get(node).close();
                    if (closed.get()) {
                        throw new UserError("The cluster is being stopped");
                    }
                    Start start = starts.get(node);
                    nodes.set(node, start.command().start(start.log()));
                }
                for (int node = first; node < first + count; node++) {
                    await(starts.get(node).port());
                }
            } catch (IOException failed) {
                throw new UserError(name + " does not start (" + UserError.firstLine(failed) + ")", failed);
            }
        }
    }

    private interface Signal {
        void to(SupervisedProcess node) throws IOException;
    }

    /** Returns the place of a region's first node; negative if its nodes are not processes of ours. */
    private int firstNode(Region region) {
        int place = List.copyOf(gateways.keySet()).indexOf(region);
        return between == null ? -1 : place * nodesARegion;
    }

    @Override
    public Engine engine() {
        return Engine.COCKROACHDB;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Gateway gateway() {
        Gateway open = gateway;
        if (open == null) {
            throw new IllegalStateException("CockroachDB has not started");
        }
        return open;
    }

    @Override
    public Map<Region, Gateway> gateways() {
        return Collections.unmodifiableMap(gateways);
    }

    /** Returns true, because this process sets its settings and ends it. */
    @Override
    public boolean embedded() {
        return true;
    }

    @Override
    public void close() {
        endHook.remove();
        stop();
    }

    private void stop() {
        if (closed.getAndSet(true)) {
            return;
        }
        end();
        TemporaryFiles.remove(lock);
    }

    private void deleteStores() throws IOException {
        try (DirectoryStream<Path> stores = Files.newDirectoryStream(folder, STORE + "*")) {
            for (Path store : stores) {
                Folders.delete(store);
            }
        }
    }

    private void end() {
        for (SupervisedProcess node : nodes) {
            try {
                // Their rows are not needed any more, so they need not transfer their leases, which takes seconds.
                node.kill();
            } catch (IOException gone) {
                LOG.debug("A node has ended by itself", gone);
            }
        }
        nodes.forEach(SupervisedProcess::close);
        Links open = links;
        if (open != null) {
            open.close();
        }
    }
}

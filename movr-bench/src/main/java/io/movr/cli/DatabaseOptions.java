package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command works on. */
final class DatabaseOptions {

    private static final Pattern OF_REGION = Pattern.compile("([a-z][a-z0-9-]*)=(.*)");

    @Option(
            names = "--url",
            paramLabel = "[REGION=]URL",
            description =
                    "Address of a running database, such as jdbc:postgresql://localhost:5432/movr?user=me or "
                            + "postgresql://me@localhost:26257/movr; for several regions one URL per region, the primary region "
                            + "first. Keep passwords in ~/.pgpass, or name an environment variable that holds the address: --url env:NAME.")
    private List<String> urls = List.of();

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Folder in which an embedded PostgreSQL keeps its files.")
    private @Nullable Path folder;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port of the embedded PostgreSQL (default: any that is free).")
    private int port;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "The engine to start: postgresql (default), which is embedded, or cockroach, from its program.")
    private @Nullable String engine;

    @Option(
            names = "--cockroach-bin",
            paramLabel = "FILE",
            description = "The cockroach program (default: the one on the PATH).")
    private @Nullable Path program;

    @Option(
            names = "--demo",
            description =
                    "With --engine cockroach, in commands with regions: start 'cockroach demo --global' instead of "
                            + "nine nodes with movr's own links; its latencies cannot be changed.")
    private boolean demo;

    /** The database that is named, or else the embedded one that is kept for the commands to share. */
    Cluster kept() {
        if (startsNodes()) {
            throw new UserError(
                    "A CockroachDB that movr starts keeps its rows in memory and ends with the command: start one"
                            + " yourself (cockroach start-single-node --insecure) and name it with --url");
        }
        return open(defaultFolder(), false);
    }

    /** As {@link #kept}, but a CockroachDB that is started goes when it is closed. */
    Cluster forWorkloads() {
        return startsNodes() ? temporary() : kept();
    }

    boolean hasUrl() {
        return !urls.isEmpty();
    }

    /** The database that is named, or else an embedded one that goes when it is closed. */
    Cluster temporary() {
        return temporary(false);
    }

    /** @param spared whether its servers are going to be killed and started again */
    Cluster temporary(boolean spared) {
        return open(null, spared);
    }

    /** As {@link #temporary}, but of several regions where it can be. */
    Cluster regional(RegionMap regions) {
        return startsNodes() ? servers().ofRegions(regions, Distances.standard(), null, false) : temporary();
    }

    /**
     * As {@link #regional}, and where nothing is named a PostgreSQL in each region.
     *
     * @param kept where the rows of those stay; {@code null} for temporary ones
     */
    Cluster regions(RegionMap regions, Distances distances, @Nullable Path kept) {
        return regions(regions, distances, kept, false);
    }

    /** @param spared whether a region is going to be killed and started again */
    Cluster regions(RegionMap regions, Distances distances, @Nullable Path kept, boolean spared) {
        checkCockroach();
        if (!urls.isEmpty()) {
            return temporary();
        }
        if (folder != null || port != 0) {
            throw new UserError("--data-dir and --port are those of one embedded PostgreSQL: leave them out");
        }
        return servers().ofRegions(regions, distances, kept, spared);
    }

    /** Whether {@link #regions} finds or starts a database in each region. */
    boolean hasRegions() {
        return urls.isEmpty()
                ? folder == null && port == 0
                : urls.stream().allMatch(url -> OF_REGION.matcher(url).matches());
    }

    /** Refuses a number of nodes that the database cannot have. */
    void checkNodes(RegionMap map) {
        if (map.survivesLossOfNode()) {
            return;
        }
        if (demo) {
            throw new UserError("--demo has nine nodes: leave --nodes out");
        }
        if (!engine().isMultiRegion() && urls.isEmpty()) {
            throw new UserError("--nodes is about CockroachDB: leave it out, or add --engine cockroach");
        }
    }

    /** Refuses databases that are named, but are not one in each region of a map. */
    void requireRegions(RegionMap map) {
        List<String> named = urls.stream()
                .map(OF_REGION::matcher)
                .map(url -> url.matches() ? url.group(1) : "no region")
                .sorted()
                .toList();
        List<String> wanted =
                map.cities().keySet().stream().map(Region::name).sorted().toList();
        if (!urls.isEmpty() && !named.equals(wanted)) {
            throw new UserError("There is a --url of " + String.join(", ", named) + ", and there are cities in "
                    + String.join(", ", wanted) + ": name one --url and one --home a region");
        }
    }

    /** Whether movr starts the links between regions, and can take their distances away while it prepares. */
    boolean hasOwnLinks() {
        return !demo && urls.isEmpty();
    }

    /** Refuses an option that is about links of movr's own. */
    void requireOwnLinks(String option) {
        if (!hasOwnLinks()) {
            throw new UserError(option + " is about links of movr's own, which " + (demo ? "--demo" : "--url")
                    + " has none of: leave one of them out");
        }
    }

    /** Whether movr starts nodes of a cluster, which keep their rows in memory. */
    boolean startsNodes() {
        return engine().isMultiRegion() && urls.isEmpty();
    }

    /** Refuses an option that is about nodes of a CockroachDB that movr starts. */
    void requireOwnNodes(String option) {
        if (!startsNodes() || demo) {
            throw new UserError(
                    option + " is about the nodes of a CockroachDB that movr starts: add --engine cockroach,"
                            + " and leave --demo and --url out");
        }
    }

    /** Refuses an option that is about files of embedded servers. */
    void requireEmbedded(String option) {
        if (startsNodes() || !urls.isEmpty()) {
            throw new UserError(
                    option + " is about the files of embedded PostgreSQL servers: leave it out, or leave out "
                            + (urls.isEmpty() ? "--engine" : "--url"));
        }
    }

    private LocalServers servers() {
        return switch (engine()) {
            case POSTGRESQL -> new LocalServers.Embedded();
            case COCKROACHDB -> new LocalServers.Nodes(program, demo);
        };
    }

    Engine engine() {
        return engine == null ? Engine.POSTGRESQL : Engine.named(engine);
    }

    /**
     * The {@code cockroach} program.
     *
     * @throws UserError if none is named, and none is on the path
     */
    Path cockroach() {
        return LocalCockroach.program(program);
    }

    boolean isNamed() {
        return !urls.isEmpty() || folder != null;
    }

    /** Whether nothing was said of a database at all. */
    boolean isUnsaid() {
        return !isNamed() && engine == null && port == 0;
    }

    static Path defaultFolder() {
        return Path.of(System.getProperty("movr.root", "."), ".movr", "data");
    }

    private Cluster open(@Nullable Path otherwise, boolean spared) {
        checkCockroach();
        if (!urls.isEmpty() && (folder != null || port != 0)) {
            throw new UserError(
                    "--url names a running database, --data-dir and --port an embedded one: give one of them");
        }
        if (port < 0 || port > 65_535) {
            throw new UserError("--port " + port + " is out of range: 1 to 65535");
        }
        if (!urls.isEmpty()) {
            Cluster running = running();
            if (engine != null && engine() != running.engine()) {
                throw new UserError(running.gateway().shown() + " is a "
                        + running.engine().title() + ", not a " + engine().title() + ": correct --engine or --url");
            }
            return running;
        }
        Path kept = folder == null ? otherwise : folder;
        return servers().one(kept, port, spared);
    }

    private void checkCockroach() {
        boolean cockroach = engine() == Engine.COCKROACHDB;
        if (demo && (!cockroach || !urls.isEmpty())) {
            throw new UserError("--demo goes with --engine cockroach, without --url");
        }
        if (program != null && !cockroach) {
            throw new UserError("--cockroach-bin goes with --engine cockroach");
        }
    }

    private Cluster running() {
        if (urls.size() == 1 && !OF_REGION.matcher(urls.get(0)).matches()) {
            return Cluster.at(urls.get(0));
        }
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        for (String url : urls) {
            Matcher ofRegion = OF_REGION.matcher(url);
            if (!ofRegion.matches()) {
                throw new UserError("Of several --url each names its region: --url us-east1=jdbc:postgresql://…");
            }
            Region region = new Region(ofRegion.group(1));
            if (gateways.put(region, new Gateway(ofRegion.group(2))) != null) {
                throw new UserError("The region " + region + " has two --url: give it one");
            }
        }
        return Cluster.at(gateways);
    }
}

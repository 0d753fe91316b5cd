package io.movr.database;

import io.movr.UserError;
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

/** The database that the user selects: a running one, by its URLs, or one that movr starts. */
public final class DatabaseSource {

    private static final Pattern OF_REGION = Pattern.compile("([a-z][a-z0-9-]*)=(.*)");

    private final List<String> urls;
    private final @Nullable Engine engine;
    private final @Nullable Path folder;
    private final boolean demo;

    /**
     * Names a database.
     *
     * @param urls of one database, or one {@code REGION=URL} for each region, the primary region first; empty for a database
     *     that movr starts
     * @param engine of the database; {@code null} if the user has not named one
     * @param folder in which an embedded PostgreSQL keeps its rows; {@code null} if the user has not named one
     * @param demo whether regions of CockroachDB are those of {@code cockroach demo --global}
     * @throws UserError if these options exclude each other
     */
    public DatabaseSource(List<String> urls, @Nullable Engine engine, @Nullable Path folder, boolean demo) {
        this.urls = List.copyOf(urls);
        this.engine = engine;
        this.folder = folder;
        this.demo = demo;
        if (demo && (engine() != Engine.COCKROACHDB || hasUrl())) {
            throw new UserError("--demo requires --engine cockroach, and excludes --url");
        }
        if (hasUrl() && folder != null) {
            throw new UserError("--url names a running database, --data-dir an embedded one: give one of them");
        }
    }

    /** Returns the folder of the embedded database that commands share. */
    public static Path sharedFolder() {
        return Path.of(System.getProperty("movr.root", "."), ".movr", "data");
    }

    /** Opens the named database, or else the embedded one that commands share. */
    public Cluster kept() {
        if (startsNodes()) {
            throw new UserError(
                    "A CockroachDB that movr starts keeps its rows in memory and ends with the command: start one"
                            + " yourself (cockroach start-single-node --insecure) and name it with --url");
        }
        return open(sharedFolder(), false);
    }

    /** Opens the same database as {@link #kept}, except that a CockroachDB is started and ends when it is closed. */
    public Cluster keptOrStarted() {
        return startsNodes() ? temporary() : kept();
    }

    /** Opens the named database, or else an embedded one that is removed when it is closed. */
    public Cluster temporary() {
        return temporary(false);
    }

    /**
     * Opens the same database as {@link #temporary()}.
     *
     * @param restartable whether its servers are going to be killed and started again
     */
    public Cluster temporary(boolean restartable) {
        return open(null, restartable);
    }

    /** Opens the same database as {@link #temporary()}, with several regions where CockroachDB is started. */
    public Cluster temporaryOf(RegionMap regions) {
        return startsNodes() ? servers().ofRegions(regions, Distances.standard(), null, false) : temporary();
    }

    /**
     * Opens the named database, or else starts one in each region.
     *
     * @param kept where PostgreSQL servers keep their rows; {@code null} for a temporary folder
     * @param restartable whether a region is going to be killed and started again
     */
    public Cluster regions(RegionMap regions, Distances distances, @Nullable Path kept, boolean restartable) {
        return hasUrl() ? temporary() : servers().ofRegions(regions, distances, kept, restartable);
    }

    /** Returns whether the user has named a running database. */
    public boolean hasUrl() {
        return !urls.isEmpty();
    }

    /** Returns whether the user has named a database, running or in a folder. */
    public boolean isNamed() {
        return hasUrl() || folder != null;
    }

    /** Returns whether the user has said nothing about the database. */
    public boolean isUnspecified() {
        return !isNamed() && engine == null;
    }

    /** Returns whether {@link #regions} finds or starts a database in each region. */
    public boolean hasRegions() {
        return urls.stream().allMatch(url -> OF_REGION.matcher(url).matches());
    }

    /** Returns the engine that the user has named, or else the engine of the embedded database. */
    public Engine engine() {
        return engine == null ? Engine.POSTGRESQL : engine;
    }

    /** Returns whether movr starts the links between regions, and can remove their delays while it prepares. */
    public boolean hasOwnLinks() {
        return !demo && !hasUrl();
    }

    /** Returns whether movr starts nodes of a cluster, which keep their rows in memory. */
    public boolean startsNodes() {
        return engine().isMultiRegion() && !hasUrl();
    }

    /**
     * Refuses a number of nodes that the database cannot have.
     *
     * @throws UserError if it is refused
     */
    public void requireNodes(RegionMap map) {
        if (map.survivesLossOfNode()) {
            return;
        }
        if (demo) {
            throw new UserError("--demo has nine nodes: leave --nodes out");
        }
        if (!engine().isMultiRegion() && !hasUrl()) {
            throw new UserError("--nodes requires CockroachDB: add --engine cockroach, or leave it out");
        }
    }

    /**
     * Refuses running databases that are not one in each region of a map.
     *
     * @throws UserError if they are refused
     */
    public void requireRegions(RegionMap map) {
        List<String> named = urls.stream()
                .map(OF_REGION::matcher)
                .map(url -> url.matches() ? url.group(1) : "no region")
                .sorted()
                .toList();
        List<String> wanted =
                map.cities().keySet().stream().map(Region::name).sorted().toList();
        if (hasUrl() && !named.equals(wanted)) {
            throw new UserError("There is a --url of " + String.join(", ", named) + ", and there are cities in "
                    + String.join(", ", wanted) + ": name one --url and one --home a region");
        }
    }

    /**
     * Refuses an option that sets links of movr's own, where there are none.
     *
     * @throws UserError if it is refused
     */
    public void requireOwnLinks(String option) {
        if (!hasOwnLinks()) {
            throw new UserError(option + " sets links that movr starts, and " + (demo ? "--demo" : "--url")
                    + " has no such links: leave one of the options out");
        }
    }

    /**
     * Refuses an option about nodes of a CockroachDB that movr starts, where there are none.
     *
     * @throws UserError if it is refused
     */
    public void requireOwnNodes(String option) {
        if (!startsNodes() || demo) {
            throw new UserError(option + " requires nodes of a CockroachDB that movr starts: add --engine"
                    + " cockroach, and leave --url out");
        }
    }

    /**
     * Refuses an option about files of embedded servers, where there are none.
     *
     * @throws UserError if it is refused
     */
    public void requireEmbedded(String option) {
        if (startsNodes() || hasUrl()) {
            throw new UserError(option + " requires embedded PostgreSQL servers: leave it out, or leave out "
                    + (hasUrl() ? "--url" : "--engine"));
        }
    }

    private LocalServers servers() {
        return switch (engine()) {
            case POSTGRESQL -> new LocalServers.Embedded();
            case COCKROACHDB -> new LocalServers.Nodes(demo);
        };
    }

    private Cluster open(@Nullable Path otherwise, boolean restartable) {
        if (!hasUrl()) {
            return servers().one(folder == null ? otherwise : folder, restartable);
        }
        Cluster running = running();
        if (engine != null && engine != running.engine()) {
            throw new UserError(running.gateway().shown() + " is a "
                    + running.engine().title() + ", not a " + engine.title() + ": correct --engine or --url");
        }
        return running;
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

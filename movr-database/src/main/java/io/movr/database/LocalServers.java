package io.movr.database;

import io.movr.UserError;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of an engine that movr starts itself, where no running database is named. */
interface LocalServers {

    /**
     * Starts one server.
     *
     * @param folder where it keeps its rows, {@code null} for a temporary folder
     * @param restartable whether it is going to be killed and started again, so that a node keeps its rows in files
     * @throws UserError when it does not start
     */
    Cluster one(@Nullable Path folder, boolean restartable);

    /**
     * Starts servers in each region of a map.
     *
     * @param folder where PostgreSQL servers keep their rows, {@code null} for a temporary folder
     * @param restartable whether a region is going to be killed and started again, so that nodes keep their rows in files
     * @throws UserError when they do not start
     */
    Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean restartable);

    /** PostgreSQL servers of this process: one, or one in each region. */
    record Embedded() implements LocalServers {

        @Override
        public Cluster one(@Nullable Path folder, boolean restartable) {
            return folder == null ? EmbeddedPostgres.temporary() : EmbeddedPostgres.in(folder, 0);
        }

        @Override
        public Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean restartable) {
            return EmbeddedRegions.start(List.copyOf(map.cities().keySet()), distances, folder);
        }
    }

    /**
     * Nodes of CockroachDB, which keep their rows in memory unless a region is going to be killed.
     *
     * @param demo whether regions are those of {@code cockroach demo --global}
     */
    record Nodes(boolean demo) implements LocalServers {

        @Override
        public Cluster one(@Nullable Path folder, boolean restartable) {
            if (folder != null) {
                throw new UserError("--data-dir is the folder of an embedded PostgreSQL: leave it out, or leave"
                        + " --engine cockroach out");
            }
            return LocalCockroach.ofOneNode(null, restartable);
        }

        @Override
        public Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean restartable) {
            List<Region> regions = List.copyOf(map.cities().keySet());
            return demo
                    ? LocalCockroach.demo(null, regions)
                    : LocalCockroach.ofRegions(null, regions, map.nodes(), distances, restartable);
        }
    }
}

package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.EmbeddedRegions;
import io.movr.database.LocalCockroach;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Servers of an engine that a command starts itself, where no running database is named. */
interface LocalServers {

    /**
     * One server.
     *
     * @param folder where it keeps its rows, {@code null} for nowhere
     * @param port to listen on, 0 for any that is free
     * @param spared whether it is going to be killed and started again, so that a node keeps its rows in files
     * @throws UserError when it does not start
     */
    Cluster one(@Nullable Path folder, int port, boolean spared);

    /**
     * Servers in each region of a map.
     *
     * @param folder where PostgreSQL servers keep their rows, {@code null} for nowhere
     * @param spared whether a region is going to be killed and started again, so that nodes keep their rows in files
     * @throws UserError when they do not start
     */
    Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean spared);

    /** PostgreSQL servers of this process: one, or one in each region. */
    record Embedded() implements LocalServers {

        @Override
        public Cluster one(@Nullable Path folder, int port, boolean spared) {
            return folder == null ? EmbeddedPostgres.temporary(port) : EmbeddedPostgres.in(folder, port);
        }

        @Override
        public Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean spared) {
            return EmbeddedRegions.start(List.copyOf(map.cities().keySet()), distances, folder);
        }
    }

    /**
     * Nodes of CockroachDB, which keep their rows in memory unless a region is going to be killed.
     *
     * @param program the {@code cockroach} program, {@code null} for that on the path
     * @param demo whether regions are those of {@code cockroach demo --global}
     */
    record Nodes(@Nullable Path program, boolean demo) implements LocalServers {

        @Override
        public Cluster one(@Nullable Path folder, int port, boolean spared) {
            if (folder != null || port != 0) {
                throw new UserError(
                        "--data-dir and --port are those of an embedded PostgreSQL: leave them out, or leave"
                                + " --engine cockroach out");
            }
            return LocalCockroach.ofOneNode(program, spared);
        }

        @Override
        public Cluster ofRegions(RegionMap map, Distances distances, @Nullable Path folder, boolean spared) {
            List<Region> regions = List.copyOf(map.cities().keySet());
            return demo
                    ? LocalCockroach.demo(program, regions)
                    : LocalCockroach.ofRegions(program, regions, map.nodes(), distances, spared);
        }
    }
}

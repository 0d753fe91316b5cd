package io.movr.database;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The configuration of the embedded PostgreSQL: durable as in production, with a small part of the machine's memory, because the
 * laboratory and a load generator share it.
 */
final class ServerSettings {

    private static final long MEBIBYTE = 1L << 20;

    private ServerSettings() {}

    /**
     * Settings for this machine.
     *
     * @param servers how many share its memory
     */
    static Map<String, String> forThisMachine(int port, int servers) {
        return forMemory(port, memoryBytes() / servers);
    }

    static Map<String, String> forMemory(int port, long memoryBytes) {
        long memory = memoryBytes / MEBIBYTE;
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("port", Integer.toString(port));
        settings.put("unix_socket_directories", "");
        settings.put("max_connections", "200");

        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        settings.put("full_page_writes", "on");

        settings.put("shared_buffers", mebibytes(memory / 16, 64, 2048));
        settings.put("effective_cache_size", mebibytes(memory / 2, 256, 1 << 20));
        settings.put("work_mem", mebibytes(memory / 512, 4, 64));
        settings.put("maintenance_work_mem", mebibytes(memory / 64, 32, 512));

        // A checkpoint in the middle of a measurement is noise: let them be rare.
        settings.put("max_wal_size", "2GB");
        settings.put("checkpoint_timeout", "30min");
        settings.put("wal_compression", "off");

        // The data fits into memory, so reading at random costs about what reading in order does.
        settings.put("random_page_cost", "1.1");
        settings.put("jit", "off");

        settings.put("shared_preload_libraries", "pg_stat_statements,auto_explain");
        settings.put("timezone", "UTC");
        settings.put("log_timezone", "UTC");
        return settings;
    }

    private static String mebibytes(long wanted, long least, long most) {
        return Math.max(least, Math.min(most, wanted)) + "MB";
    }

    private static long memoryBytes() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getTotalMemorySize();
    }
}

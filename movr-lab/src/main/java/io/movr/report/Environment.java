package io.movr.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a measurement: program, machine, database. Two results are comparable only as far as their
 * environments agree.
 *
 * @param version version of movr
 * @param commit commit that movr was built from, with the suffix {@code -dirty} if files differed from it
 * @param java version and name of the Java virtual machine
 * @param os name, version and architecture of the operating system
 * @param processor model of the processor, if the system reports it
 * @param cores processors available to the Java virtual machine
 * @param memoryBytes memory of the machine or its container
 * @param engine name of the database engine
 * @param database version that the server reports
 * @param gateway address of the server, without secrets
 * @param embedded whether movr started the server
 * @param stolenShare CPU steal as a share of all processors' time during the measurement, 0 to 1; {@code null} if the
 *     system does not report it
 * @param settings settings of the server that affect speed and durability
 */
public record Environment(
        String version,
        String commit,
        String java,
        String os,
        String processor,
        int cores,
        long memoryBytes,
        @OneOf({"PostgreSQL", "CockroachDB"}) String engine,
        String database,
        String gateway,
        boolean embedded,
        @Nullable Double stolenShare,
        Map<String, String> settings) {

    /** Returns a copy with the CPU steal of the finished measurement. */
    public Environment with(CpuSteal stolen) {
        return new Environment(
                version,
                commit,
                java,
                os,
                processor,
                cores,
                memoryBytes,
                engine,
                database,
                gateway,
                embedded,
                stolen.share(),
                settings);
    }
}

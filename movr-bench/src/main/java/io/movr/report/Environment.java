package io.movr.report;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where something was measured: two results can be compared only as far as these agree.
 *
 * @param version of this program
 * @param commit that it was built from, {@code -dirty} behind it when files differed
 * @param java version and name of the virtual machine
 * @param os name, version and architecture
 * @param processor model, where the system tells it
 * @param cores that the virtual machine may use
 * @param memoryBytes of the machine or its container
 * @param engine name of the engine
 * @param database what the server says of its version
 * @param gateway the address, without secrets
 * @param embedded whether this program started the server
 * @param stolenShare share of all processors' time that was CPU steal while this was measured, 0 to 1; null if the system
 *     does not tell
 * @param settings the server's settings that matter to speed and durability
 */
public record Environment(
        String version,
        String commit,
        String java,
        String os,
        String processor,
        int cores,
        long memoryBytes,
        String engine,
        String database,
        String gateway,
        boolean embedded,
        @Nullable Double stolenShare,
        Map<String, String> settings) {

    /** The same, when the measuring is over. */
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

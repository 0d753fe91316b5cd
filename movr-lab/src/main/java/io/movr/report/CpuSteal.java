package io.movr.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a virtual machine's processors had work, and the host did not let them, since this was made: it works
 * for others, or keeps to a limit. Linux tells it; of other systems nothing is known.
 */
public final class CpuSteal {

    /** From this share on it is in every figure. */
    private static final double MUCH = 0.1;

    private static final Path COUNTERS = Path.of("/proc/stat");

    /** In the first line of the counters, behind user, nice, system, idle, iowait, irq and softirq. */
    private static final int STEAL = 7;

    private final @Nullable List<Long> begun = read();

    /** Of the time of all processors, 0 to 1; null when it is not known. */
    public @Nullable Double share() {
        List<Long> now = read();
        return begun == null || now == null ? null : share(begun, now);
    }

    static @Nullable Double share(List<Long> begun, List<Long> now) {
        long all = 0;
        for (int counter = 0; counter <= STEAL; counter++) {
            all += now.get(counter) - begun.get(counter);
        }
        return all <= 0 ? null : Math.max(0, now.get(STEAL) - begun.get(STEAL)) / (double) all;
    }

    /** What a share says against figures that were measured meanwhile; empty if it is small or not known. */
    public static Optional<String> warning(@Nullable Double share) {
        return share == null || share < MUCH
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "CPU steal was %.0f%%", 100 * share));
    }

    private static @Nullable List<Long> read() {
        if (!Files.isReadable(COUNTERS)) {
            return null;
        }
        try (Stream<String> lines = Files.lines(COUNTERS)) {
            return parse(lines.findFirst().orElse(""));
        } catch (IOException unreadable) {
            return null;
        }
    }

    static @Nullable List<Long> parse(String line) {
        String[] words = line.strip().split(" +");
        return words[0].equals("cpu") && words.length > STEAL + 1
                ? Arrays.stream(words).skip(1).map(Long::valueOf).toList()
                : null;
    }
}

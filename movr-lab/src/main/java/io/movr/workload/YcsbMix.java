package io.movr.workload;

import io.movr.UserError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operations of a YCSB workload.
 *
 * @param id the letter that YCSB gives it, or {@code CUSTOM}
 * @param shares of the operations by their place in {@link #OPERATIONS}; together 1
 * @param distribution the default distribution of its requests
 * @param families whether a column family for each column makes it faster on CockroachDB, as {@code cockroach workload}
 *     has it
 */
public record YcsbMix(String id, List<Double> shares, KeyDistribution distribution, boolean families) {

    static final int READ = 0;
    static final int UPDATE = 1;
    static final int INSERT = 2;
    static final int SCAN = 3;
    static final int READ_MODIFY_WRITE = 4;

    /** The names of the operations, as {@code cockroach workload} has them. */
    public static final List<String> OPERATIONS = List.of("read", "update", "insert", "scan", "readModifyWrite");

    private static final Pattern SHARE = Pattern.compile("(\\w+)=(\\d*\\.?\\d+)");
    private static final double TOLERANCE = 1e-6;

    private static final Map<String, YcsbMix> STANDARD = Map.of(
            "A", of("A", KeyDistribution.ZIPFIAN, true, 0.50, 0.50, 0, 0, 0),
            "B", of("B", KeyDistribution.ZIPFIAN, true, 0.95, 0.05, 0, 0, 0),
            "C", of("C", KeyDistribution.ZIPFIAN, false, 1, 0, 0, 0, 0),
            "D", of("D", KeyDistribution.LATEST, false, 0.95, 0, 0.05, 0, 0),
            "E", of("E", KeyDistribution.ZIPFIAN, false, 0, 0, 0.05, 0.95, 0),
            "F", of("F", KeyDistribution.ZIPFIAN, true, 0.50, 0, 0, 0, 0.50));

    public YcsbMix {
        shares = List.copyOf(shares);
        double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        if (Math.abs(sum - 1) > TOLERANCE || shares.stream().anyMatch(share -> share < 0)) {
            throw new UserError("The shares of a workload add up to 1, not " + String.format(Locale.ROOT, "%.3f", sum)
                    + ": correct --workload");
        }
    }

    /**
     * Finds a workload.
     *
     * @param text its letter, or shares of {@link #OPERATIONS} that add up to 1, such as {@code read=0.8,insert=0.2}
     * @throws UserError when there is none
     */
    public static YcsbMix named(String text) {
        if (text.contains("=")) {
            return new YcsbMix("CUSTOM", shares(text), KeyDistribution.ZIPFIAN, true);
        }
        YcsbMix mix = STANDARD.get(text.strip().toUpperCase(Locale.ROOT));
        if (mix == null) {
            throw new UserError("There is no workload '" + text + "': choose A, B, C, D, E, F, or shares such as"
                    + " read=0.8,insert=0.2");
        }
        return mix;
    }

    private static List<Double> shares(String text) {
        Double[] shares = new Double[OPERATIONS.size()];
        Arrays.fill(shares, 0.0);
        for (String part : text.split(",", -1)) {
            Matcher matcher = SHARE.matcher(part.strip());
            int operation = matcher.matches() ? OPERATIONS.indexOf(matcher.group(1)) : -1;
            if (operation < 0) {
                throw new UserError("'" + part + "' is no share of a workload: write it like read=0.8, of "
                        + String.join(", ", OPERATIONS));
            }
            shares[operation] = Double.parseDouble(matcher.group(2));
        }
        return List.of(shares);
    }

    private static YcsbMix of(
            String id,
            KeyDistribution distribution,
            boolean families,
            double read,
            double update,
            double insert,
            double scan,
            double readModifyWrite) {
        return new YcsbMix(id, List.of(read, update, insert, scan, readModifyWrite), distribution, families);
    }

    /** Returns whether rows keep the values that they were inserted with. */
    boolean keepsValues() {
        return shares.get(UPDATE) == 0 && shares.get(READ_MODIFY_WRITE) == 0;
    }
}

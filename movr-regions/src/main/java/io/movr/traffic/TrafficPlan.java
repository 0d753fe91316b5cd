package io.movr.traffic;

import io.movr.UserError;
import io.movr.region.Region;
import io.movr.schema.Stage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What traffic is to be sent, and between which stages.
 *
 * @param before the earlier stage
 * @param after the later stage
 * @param mix {@code movr}, {@code python} or {@code journey}
 * @param arrivalsPerSecond of all regions together
 * @param warmUp of each run, which is not counted
 * @param duration of each run
 * @param runs at each stage
 * @param remoteShare of the arrivals that ask for a city of another region, 0 to 1
 * @param during whether a migration between the stages takes place under traffic
 * @param matrixSamples of each cell of the region matrix, 0 for none
 * @param closedLoop length of each run of a closed loop, zero for none
 * @param killed the region whose nodes are killed after the last runs, and started again; {@code null} for none
 * @param objective under which the highest rate is looked for at each stage; {@code null} if it is not
 * @param afterDatabase of a cluster that is named, for the later stage; {@code null} if none is named
 */
public record TrafficPlan(
        Stage before,
        Stage after,
        String mix,
        double arrivalsPerSecond,
        Duration warmUp,
        Duration duration,
        int runs,
        double remoteShare,
        boolean during,
        int matrixSamples,
        Duration closedLoop,
        @Nullable Region killed,
        @Nullable Objective objective,
        @Nullable String afterDatabase) {

    private static final Pattern OBJECTIVE = Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?)=(\\d+(?:\\.\\d+)?)ms");

    /**
     * What a service promises: of its requests so many are answered within a limit.
     *
     * @param quantile 0 to 1
     * @param limitMs since a request was due
     */
    public record Objective(double quantile, double limitMs) {

        /** Reads one, such as {@code p99=200ms}. */
        public static Objective named(String text) {
            Matcher matcher = OBJECTIVE.matcher(text);
            require(matcher.matches(), "'" + text + "' is no objective: write it like --slo p99=200ms");
            double quantile = new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue();
            double limit = Double.parseDouble(matcher.group(2));
            require(quantile > 0 && limit > 0, "'" + text + "' is no objective: write it like --slo p99=200ms");
            return new Objective(quantile, limit);
        }

        /** Such as {@code p99}. */
        public String percentile() {
            return "p" + BigDecimal.valueOf(quantile * 100).stripTrailingZeros().toPlainString();
        }

        @Override
        public String toString() {
            return percentile() + "="
                    + BigDecimal.valueOf(limitMs).stripTrailingZeros().toPlainString() + "ms";
        }
    }

    public TrafficPlan {
        require(before.isBefore(after), "--before " + before + " is no stage before --after " + after);
        require(
                arrivalsPerSecond >= 0.1 && arrivalsPerSecond <= 10_000,
                "--rate " + arrivalsPerSecond + " is out of range: 0.1 to 10000");
        require(remoteShare >= 0 && remoteShare <= 1, "--remote-share " + remoteShare + " is out of range: 0 to 1");
        require(runs >= 1 && runs <= 100, "--runs " + runs + " is out of range: 1 to 100");
        require(
                !duration.isNegative() && duration.toSeconds() >= 1 && duration.toHours() <= 24,
                "--seconds is out of range: 1 to 86400");
    }

    /**
     * The lowest rate of arrivals at which one run tells a quantile: with fewer requests the slowest of them alone would
     * decide.
     */
    double leastRate(double quantile) {
        return Math.max(1, Math.ceil(1 / (1 - quantile) / duration.toSeconds()));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new UserError(otherwise);
        }
    }
}

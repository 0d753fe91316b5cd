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
 * The settings of a traffic run.
 *
 * @param before the earlier stage
 * @param after the later stage
 * @param mix {@code movr}, {@code python} or {@code journey}
 * @param arrivalsPerSecond the rate of all regions together, 0.1 to 10,000
 * @param warmUp the warm-up of each run, whose requests are not counted
 * @param duration the duration of each run after its warm-up, 1 s to 24 h
 * @param runs the number of runs at each stage, 1 to 100
 * @param remoteShare the share of arrivals that request a city of another region, 0 to 1
 * @param during whether a migration between the stages is measured under traffic
 * @param matrixSamples the number of samples in each cell of the region matrix; 0 for no matrix
 * @param closedLoop the duration of each closed-loop run; zero for none
 * @param killed the region whose nodes are killed and restarted after the last run; {@code null} for none
 * @param objective the objective of the rate search at each stage; {@code null} for no search
 * @param afterDatabase the database of the later stage on the cluster of the user; {@code null} if none is named
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
     * A service level objective: the share of requests that must be answered within a time limit.
     *
     * @param quantile 0 to 1
     * @param limitMs the time limit in milliseconds, from the time at which a request is due
     */
    public record Objective(double quantile, double limitMs) {

        /** Parses an objective such as {@code p99=200ms}. */
        public static Objective named(String text) {
            Matcher matcher = OBJECTIVE.matcher(text);
            require(matcher.matches(), "'" + text + "' is no objective: write it like --slo p99=200ms");
            double quantile = new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue();
            double limit = Double.parseDouble(matcher.group(2));
            require(quantile > 0 && limit > 0, "'" + text + "' is no objective: write it like --slo p99=200ms");
            return new Objective(quantile, limit);
        }

        /** Returns its percentile, such as {@code p99}. */
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
     * Returns the lowest rate at which a run has enough requests for a quantile. Below it, the slowest request alone
     * would decide.
     */
    double minRate(double quantile) {
        return Math.max(1, Math.ceil(1 / (1 - quantile) / duration.toSeconds()));
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new UserError(otherwise);
        }
    }
}

package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.report.LabResults.Check;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Checks a database before a measurement: figures are meaningless from a server that is not durable, is throttled, or plans from
 * stale statistics.
 */
public final class Preflight {

    private static final double LOAD_PER_CORE = 0.7;
    private static final double SLOW_ROUND_TRIP_MS = 2;
    private static final double CLOCK_MS = 1_000;

    private Preflight() {}

    /** Checks the machine that measures. */
    public static List<Check> ofThisMachine() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int cores = Runtime.getRuntime().availableProcessors();
        if (load < 0) {
            return List.of(
                    new Check("load", "unknown", "this system does not report its load", "close other programs"));
        }
        String detail = String.format(Locale.ROOT, "%.2f over the last minute on %d cores", load, cores);
        boolean idle = load <= LOAD_PER_CORE * cores;
        return List.of(new Check(
                "load",
                idle ? "ok" : "warning",
                detail,
                idle ? "" : "end other programs on this machine, or expect noise"));
    }

    /** Checks a database: its durability, its clock, its distance, what else it is doing, its statistics. */
    public static List<Check> of(Gateway gateway) {
        List<Check> checks = new ArrayList<>();
        Gateway bounded = StatementTimeout.bounded(gateway, StatementTimeout.SAMPLE_LIMIT);
        Engine engine = null;
        try (Connection connection = bounded.connect("movr-preflight")) {
            checks.add(clock(connection));
            checks.add(roundTrip(connection));
            engine = Engine.of(connection);
            checks.addAll(ServerProbe.of(engine).checks(bounded, connection));
        } catch (SQLException failed) {
            SQLException named =
                    StatementTimeout.of(failed, "a check of the server", StatementTimeout.SAMPLE_LIMIT, gateway);
            String reason = named instanceof StatementTimeout.TimeoutException late && engine != null
                    ? late.describe(engine)
                    : String.valueOf(named.getMessage());
            checks.add(new Check("database", "problem", "a check failed: " + reason, "look into the server's log"));
        }
        return checks;
    }

    /**
     * Verifies that no check has found a problem.
     *
     * @throws UserError when a check has found a problem
     */
    public static void requireSound(List<Check> checks) {
        for (Check check : checks) {
            if (check.status().equals("problem")) {
                throw new UserError("Not measured, because of " + check.name() + ": " + check.detail() + ". Remedy: "
                        + check.remedy() + "; or measure all the same with --force, and the report will say so");
            }
        }
    }

    /** Returns by how many milliseconds a server's clock is ahead of the local one, with an error of up to half a round trip. */
    public static double clockAheadMs(Connection connection) throws SQLException {
        String ask = "SELECT extract(epoch FROM clock_timestamp())";
        // The first statement of a connection takes longer on one way than on the other.
        Rows.query(connection, ask, List.of());
        Instant asked = Instant.now();
        double server = Double.parseDouble(Rows.one(connection, ask));
        Duration trip = Duration.between(asked, Instant.now());
        return server * 1000 - asked.plus(trip.dividedBy(2)).toEpochMilli();
    }

    private static Check clock(Connection connection) throws SQLException {
        double off = clockAheadMs(connection);
        String detail = String.format(Locale.ROOT, "server and client %.0f ms apart", Math.abs(off));
        boolean close = Math.abs(off) <= CLOCK_MS;
        return new Check("clock", close ? "ok" : "warning", detail, close ? "" : "set both clocks by NTP");
    }

    private static Check roundTrip(Connection connection) throws SQLException {
        double median = medianMs(connection, "SELECT 1", List.of(), 20, 20);
        String detail = String.format(Locale.ROOT, "SELECT 1 takes %.3f ms", median);
        boolean near = median <= SLOW_ROUND_TRIP_MS;
        return new Check(
                "round trip",
                near ? "ok" : "warning",
                detail,
                near ? "" : "the way to the server is in every sample: measure from nearer by");
    }

    /** Returns how long a statement takes, in milliseconds. */
    public static double medianMs(Connection connection, String sql, List<?> parameters, int warmUps, int samples)
            throws SQLException {
        double[] milliseconds = new double[samples];
        for (int index = -warmUps; index < samples; index++) {
            long begun = System.nanoTime();
            Rows.query(connection, sql, parameters);
            if (index >= 0) {
                milliseconds[index] = (System.nanoTime() - begun) / 1e6;
            }
        }
        Arrays.sort(milliseconds);
        return milliseconds[samples / 2];
    }

    /**
     * Returns the check that no other work disturbs a measurement.
     *
     * @param count the number of other activities
     * @param unit their description, after the number
     */
    static Check idle(String name, String count, String whenIdle, String unit) {
        return count.equals("0")
                ? new Check(name, "ok", whenIdle, "")
                : new Check(name, "warning", count + unit, "wait until they are done");
    }
}

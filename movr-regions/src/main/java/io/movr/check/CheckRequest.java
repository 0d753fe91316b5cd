package io.movr.check;

import io.movr.UserError;
import io.movr.environment.Program;
import io.movr.region.RegionMap;
import io.movr.workload.Isolation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the runs whose histories are checked.
 *
 * @param levels the isolation levels, with a run for each
 * @param concurrency the numbers of concurrent clients, with a run for each at each level
 * @param duration the minimum duration of a run; it is longer if its faults take longer
 * @param rate transactions per second of all clients together; 0 for no limit
 * @param seed the seed of transactions and faults
 * @param map the regions
 * @param inRegions whether clients connect to the gateways of several regions
 * @param throughService whether clients send requests to the service instead of transactions to the database
 * @param faults the number of faults in each run
 * @param kinds the kinds of faults to inject; empty for all possible kinds
 * @param defect a deliberate defect of the clients; {@code null} for none
 * @param out the folder in which the run bundle is made
 * @param command the words of the command line, for the record
 */
public record CheckRequest(
        List<Isolation> levels,
        List<Integer> concurrency,
        Duration duration,
        double rate,
        long seed,
        RegionMap map,
        boolean inRegions,
        boolean throughService,
        int faults,
        List<Fault.Kind> kinds,
        @Nullable ClientDefect defect,
        Path out,
        Program program,
        List<String> command) {

    /** Eight lists in use, 64 elements of a list, and at most four operations of a transaction. */
    private static final AppendGenerator.Shape SHAPE = new AppendGenerator.Shape(8, 64, 4);

    private static final AppendGenerator.Shape REQUEST_SHAPE =
            new AppendGenerator.Shape(SHAPE.lists(), SHAPE.elements(), 1);

    public CheckRequest {
        levels = List.copyOf(levels);
        concurrency = List.copyOf(concurrency);
        kinds = List.copyOf(kinds);
        for (int clients : concurrency) {
            if (clients < 1) {
                throw new UserError("--concurrency " + clients + " is out of range: at least 1");
            }
        }
        if (faults < 0) {
            throw new UserError("--faults " + faults + " is out of range: at least 0");
        }
        if (rate < 0) {
            throw new UserError("--rate " + rate + " is out of range: at least 0");
        }
        if (duration.isZero()) {
            throw new UserError("--duration 0 is out of range: more than 0");
        }
        if (!kinds.isEmpty() && faults == 0) {
            throw new UserError("--fault requires --faults N, the number of faults");
        }
        if (defect == (throughService ? ClientDefect.CACHE : ClientDefect.BYPASS)) {
            throw new UserError("--broken " + defect.id() + " is not possible through "
                    + (throughService ? "the service" : "JDBC: add --through service"));
        }
    }

    AppendGenerator.Shape shape() {
        return throughService ? REQUEST_SHAPE : SHAPE;
    }

    /** Returns the settings of each run, in their order. */
    List<AppendRun.Settings> runs() {
        return levels.stream()
                .flatMap(isolation -> concurrency.stream()
                        .map(clients ->
                                new AppendRun.Settings(isolation, clients, duration, rate, shape(), seed, defect)))
                .toList();
    }

    /** Returns what determines the runs, for the record. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("duration", duration.toMillis() / 1e3 + "s");
        settings.put("rate", Double.toString(rate));
        settings.put("keys", Integer.toString(shape().lists()));
        settings.put("appends", Integer.toString(shape().elements()));
        settings.put("ops", Integer.toString(shape().operations()));
        settings.put("seed", Long.toString(seed));
        settings.put("regions", Boolean.toString(inRegions));
        settings.put("through", throughService ? "service" : "jdbc");
        settings.put("faults", Integer.toString(faults));
        settings.put("broken", defect == null ? "no" : defect.id());
        return settings;
    }
}

package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.RegionLinks;
import io.movr.region.Region;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.RegionReads;
import io.movr.report.render.TextTable;
import io.movr.schema.Placement;
import io.movr.schema.Placement.Range;
import io.movr.schema.Stage;
import io.movr.staleness.PromoCodeReads;
import io.movr.traffic.RegionMatrix.Operation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The commands to running regions, from the console or from other processes. */
public final class RegionCommands {

    private static final Logger LOG = System.getLogger(RegionCommands.class.getName());
    /** {@link Long#parseLong} also accepts signs and the digits of all scripts. */
    private static final Pattern NANOSECONDS = Pattern.compile("[0-9]{1,18}");

    /** {@link Double#parseDouble} also accepts exponents, the hexadecimal form, spaces, and the suffixes f and d. */
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    private static final int MATRIX_SAMPLES = 20;
    private static final Set<String> HARMFUL = Set.of("migrate", "kill", "kill-service", "cut", "stop");

    /** Read-only commands, about which listeners are not informed. */
    private static final Set<String> UNPUBLISHED = Set.of("placement");

    private final RunningRegions running;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong numbers = new AtomicLong();
    /** Held by migrations and measurements, which would disturb each other. */
    private final Object measurementLock = new Object();

    private volatile MatrixResult matrix = new MatrixResult("", "", List.of());
    private volatile PromoCodesResult promoCodes = new PromoCodesResult("", List.of());
    private volatile LedgerResult ledger = new LedgerResult("", 0, 0, 0, 0);

    public RegionCommands(RunningRegions running) {
        this.running = running;
    }

    /** Receives every command and its end. */
    public interface Listener {

        /** A command begins. */
        void began(long number, String verb, String commandLine);

        /** A command reports its progress. */
        void progress(long number, String step);

        /** A command ended; {@code message} is its result, or the reason of its failure. */
        void ended(long number, boolean done, String message);
    }

    /**
     * A cell of the region matrix.
     *
     * @param expectedRoundTrips the expected number of round trips; {@code null} if the placement of the rows is
     *     unknown
     */
    public record MatrixCell(
            String client,
            String home,
            double p50Ms,
            double p99Ms,
            int samples,
            @Nullable Integer expectedRoundTrips) {}

    /**
     * The last measurement of the region matrix.
     *
     * @param at its time in ISO 8601; empty if there is none
     */
    public record MatrixResult(String at, String stage, List<MatrixCell> cells) {}

    /**
     * The last check of the ledger: the rides whose start was acknowledged to the steady traffic.
     *
     * @param at its time in ISO 8601; empty if there is none
     * @param found acknowledged rides that are in the database
     * @param lost acknowledged rides that are not
     * @param doubled rides in addition to one for each request, for example because a request was executed twice
     */
    public record LedgerResult(String at, long acknowledged, long found, long lost, long doubled) {}

    /**
     * The last measurement of promo code reads in every region during writes.
     *
     * @param at its time in ISO 8601; empty if there is none
     * @param modes the read modes of the engine at the stage
     */
    public record PromoCodesResult(String at, List<PromoReads> modes) {}

    /** Informs a listener of all commands from now on. */
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    public MatrixResult matrix() {
        return matrix;
    }

    public PromoCodesResult promoCodes() {
        return promoCodes;
    }

    public LedgerResult ledger() {
        return ledger;
    }

    /** Returns whether a command has an effect that only another command undoes. */
    public static boolean isHarmful(String verb) {
        return HARMFUL.contains(verb);
    }

    /**
     * Returns the command line of a command.
     *
     * @param words the verb, then its arguments
     * @throws UserError if the verb is unknown, or the number or form of the arguments is wrong
     */
    public static String commandLine(List<String> words) {
        String verb = words.isEmpty() ? "" : words.get(0);
        int arguments = switch (verb) {
            case "placement", "matrix", "staleness", "ledger", "stop" -> 0;
            case "migrate", "kill", "restart", "kill-service", "restart-service" -> 1;
            case "cut", "mend" -> 2;
            case "slow", "traffic" -> 3;
            default -> throw new UserError("unknown command \"" + verb + "\"");
        };
        if (words.size() != 1 + arguments) {
            throw new UserError(
                    "command \"" + verb + "\" takes " + arguments + " arguments, not " + (words.size() - 1));
        }
        return switch (verb) {
            case "migrate" -> "./movr migrate --stage " + words.get(1);
            case "traffic" -> {
                words.subList(1, words.size()).forEach(RegionCommands::number);
                yield "./movr regions traffic " + words.get(1) + " --remote-share " + words.get(2) + " --write-share "
                        + words.get(3);
            }
            case "cut", "mend" -> "./movr regions " + verb + " " + words.get(1) + ":" + words.get(2);
            case "slow" ->
                String.format(
                        Locale.ROOT,
                        "./movr regions slow %s:%s=%sms",
                        words.get(1),
                        words.get(2),
                        // Without an exponent or trailing zeros.
                        BigDecimal.valueOf(nanos(words.get(3)), 6)
                                .stripTrailingZeros()
                                .toPlainString());
            case "placement" -> "./movr regions status";
            case "kill-service" -> "./movr regions kill " + words.get(1) + " --service";
            case "restart-service" -> "./movr regions restart " + words.get(1) + " --service";
            default -> "./movr regions " + String.join(" ", words);
        };
    }

    /**
     * Executes a command.
     *
     * @param words the verb, then its arguments
     * @param progress receives the current step
     * @return the result
     * @throws UserError if the command fails
     */
    public String execute(List<String> words, Consumer<String> progress) {
        String line = commandLine(words);
        if (UNPUBLISHED.contains(words.get(0))) {
            return run(words, progress);
        }
        long number = numbers.incrementAndGet();
        inform(each -> each.began(number, words.get(0), line));
        String done;
        try {
            done = run(words, step -> {
                progress.accept(step);
                inform(each -> each.progress(number, step));
            });
        } catch (RuntimeException | Error failed) {
            inform(each -> each.ended(number, false, UserError.firstLine(failed)));
            throw failed;
        }
        inform(each -> each.ended(number, true, done));
        return done;
    }

    /** Informs all listeners. A failure of a listener does not affect the command. */
    private void inform(Consumer<Listener> notification) {
        for (Listener listener : listeners) {
            try {
                notification.accept(listener);
            } catch (RuntimeException failed) {
                LOG.log(Level.WARNING, "A listener of the regions' commands failed", failed);
            }
        }
    }

    private String run(List<String> words, Consumer<String> listener) {
        return switch (words.get(0)) {
            case "migrate" ->
                migrate(Stage.named(words.get(1), running.cluster().engine()), listener);
            case "placement" -> placement(listener);
            case "kill" -> {
                running.cluster().kill(region(words.get(1)));
                yield "the server in " + words.get(1) + " is killed";
            }
            case "restart" -> {
                running.cluster().restart(region(words.get(1)));
                yield "the server in " + words.get(1) + " runs again";
            }
            case "kill-service" -> {
                running.killService(region(words.get(1)));
                yield "the service of " + words.get(1) + " is killed";
            }
            case "restart-service" -> restartService(region(words.get(1)));
            case "cut" -> changeLink(words, (links, pair) -> links.cut(pair.get(0), pair.get(1)), "is cut");
            case "mend" -> changeLink(words, (links, pair) -> links.mend(pair.get(0), pair.get(1)), "is mended");
            case "slow" -> {
                Duration roundTrip = Duration.ofNanos(nanos(words.get(3)));
                yield changeLink(
                        words,
                        (links, pair) -> links.roundTrip(pair.get(0), pair.get(1), roundTrip),
                        "has a round trip of " + roundTrip.toMillis() + " ms");
            }
            case "traffic" -> traffic(number(words.get(1)), number(words.get(2)), number(words.get(3)));
            case "matrix" -> measureMatrix(listener);
            case "staleness" -> readPromoCodes(listener);
            case "ledger" -> checkLedger(listener);
            case "stop" -> "the regions are being stopped";
            default -> throw new IllegalArgumentException(words.get(0));
        };
    }

    private Region region(String name) {
        return running.map().named(name);
    }

    private static long nanos(String text) {
        if (!NANOSECONDS.matcher(text).matches()) {
            throw new UserError("'" + text + "' is not a number of nanoseconds");
        }
        return Long.parseLong(text);
    }

    private static double number(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new UserError("'" + text + "' is not a decimal number");
        }
        return Double.parseDouble(text);
    }

    private interface LinkChange {
        void on(RegionLinks links, List<Region> pair);
    }

    private String changeLink(List<String> words, LinkChange change, String done) {
        List<Region> pair = List.of(new Region(words.get(1)), new Region(words.get(2)));
        RegionLinks links = running.cluster()
                .links()
                .orElseThrow(() -> new UserError("The links of this cluster cannot be changed: movr did not start it"));
        change.on(links, pair);
        return "the link between " + pair.get(0) + " and " + pair.get(1) + " " + done;
    }

    private String restartService(Region region) {
        try {
            running.restartService(region);
            return "the service of " + region + " runs again";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Starting the service of " + region + " was interrupted", interrupted);
        }
    }

    private String traffic(double perSecond, double remoteShare, double writeShare) {
        running.traffic().set(perSecond, remoteShare, writeShare);
        return perSecond == 0
                ? "no more traffic is sent"
                : String.format(
                        Locale.ROOT,
                        "%s arrivals/s are sent in each region, %.0f%% of them for a city of another region,"
                                + " %.0f%% of them rides",
                        BigDecimal.valueOf(perSecond).stripTrailingZeros().toPlainString(),
                        100 * remoteShare,
                        100 * writeShare);
    }

    private String migrate(Stage stage, Consumer<String> listener) {
        synchronized (measurementLock) {
            long startNanos = System.nanoTime();
            List<Stage> applied = running.migrate(stage, progress -> listener.accept(progress.what()));
            if (applied.isEmpty()) {
                return "at stage " + stage + " already";
            }
            List<String> missing =
                    stage.movesRows() ? running.awaitPlacement(Duration.ofMinutes(10), listener) : List.of();
            if (!missing.isEmpty()) {
                throw new UserError("at stage " + stage + ", but after 10 minutes rows are not in their home regions: "
                        + String.join("; ", missing));
            }
            String pauses = running.schema().pauses().entrySet().stream()
                    .filter(pause -> applied.contains(pause.getKey()))
                    .map(pause -> "; " + pause.getKey() + " locked the tables for "
                            + pause.getValue().toMillis() + " ms")
                    .sorted()
                    .collect(Collectors.joining());
            return String.format(
                    Locale.ROOT,
                    "at stage %s, by way of %s, in %.1f s%s",
                    stage,
                    applied.stream().map(Stage::id).collect(Collectors.joining(", ")),
                    (System.nanoTime() - startNanos) / 1e9,
                    pauses);
        }
    }

    private String measureMatrix(Consumer<String> listener) {
        synchronized (measurementLock) {
            Stage stage = stage();
            try {
                List<RegionMatrix.MeasuredCell> measured = new RegionMatrix(
                                running.cluster(), running.map(), MATRIX_SAMPLES, List.of(Operation.USER_BY_KEY))
                        .measureWithTail(
                                stage,
                                share -> listener.accept(
                                        String.format(Locale.ROOT, "reading a user by its key: %.0f%%", 100 * share)));
                matrix = new MatrixResult(
                        Instant.now().toString(),
                        stage.id(),
                        measured.stream()
                                .map(cell -> new MatrixCell(
                                        cell.cell().gateway(),
                                        cell.cell().home(),
                                        cell.cell().medianMs().estimate(),
                                        cell.p99Ms(),
                                        cell.cell().samples(),
                                        cell.cell().predictedRoundTrips()))
                                .toList());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("The region matrix was interrupted", interrupted);
            }
        }
        TextTable table = new TextTable("llrrr").row("client", "home of the row", "p50 ms", "p99 ms", "round trips");
        matrix.cells()
                .forEach(cell -> table.row(
                        cell.client(),
                        cell.home(),
                        String.format(Locale.ROOT, "%.1f", cell.p50Ms()),
                        String.format(Locale.ROOT, "%.1f", cell.p99Ms()),
                        cell.expectedRoundTrips() == null ? "?" : cell.expectedRoundTrips() + ""));
        table.toString().lines().forEach(listener);
        return "the matrix is measured at stage " + matrix.stage() + ", " + MATRIX_SAMPLES + " reads in each cell";
    }

    private String readPromoCodes(Consumer<String> listener) {
        synchronized (measurementLock) {
            Stage stage = stage();
            try {
                promoCodes = new PromoCodesResult(
                        Instant.now().toString(),
                        new PromoCodeReads(
                                        running.cluster().engine(),
                                        running.cluster().gateways(),
                                        PromoCodeReads.RUN,
                                        listener)
                                .measure(stage));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("Reading promo codes was interrupted", interrupted);
            }
            TextTable table =
                    new TextTable("llrrrrr").row("mode", "client", "reads", "p50 ms", "p99 ms", "stale", "oldest ms");
            for (PromoReads mode : promoCodes.modes()) {
                for (RegionReads region : mode.regions()) {
                    table.row(
                            mode.mode(),
                            region.region(),
                            region.reads() + "",
                            String.format(Locale.ROOT, "%.1f", region.medianMs()),
                            String.format(Locale.ROOT, "%.1f", region.p99Ms()),
                            String.format(Locale.ROOT, "%.1f%%", 100 * region.staleShare()),
                            String.format(Locale.ROOT, "%.0f", region.ageMaxMs()));
                }
            }
            table.toString().lines().forEach(listener);
            return "promo codes were read at stage " + stage + " while the primary region changed them, "
                    + PromoCodeReads.RUN.toSeconds() + " s in each mode";
        }
    }

    private Stage stage() {
        return running.schema()
                .current()
                .orElseThrow(() -> new UserError("The database has no MovR tables: load them first"));
    }

    private String checkLedger(Consumer<String> listener) {
        // During a migration, moved rows are on two servers.
        synchronized (measurementLock) {
            List<Range> ranges = running.cluster().servers().isEmpty()
                    ? List.of()
                    : readPlacement().ranges();
            RideLedger total = new LedgerCheck(running, ranges).run(listener);
            long lost = total.acknowledged() - total.found();
            ledger = new LedgerResult(
                    Instant.now().toString(), total.acknowledged(), total.found(), lost, total.doubled());
        }
        return String.format(
                Locale.ROOT,
                "%,d rides were acknowledged: %,d found, %,d lost, %,d duplicated",
                ledger.acknowledged(),
                ledger.found(),
                ledger.lost(),
                ledger.doubled());
    }

    private Placement readPlacement() {
        try {
            return Placement.of(running.cluster(), running.map())
                    .orElseThrow(() -> new UserError("One server stores all rows: there is no placement to show"));
        } catch (SQLException failed) {
            throw new UserError("Cannot read the placement of the rows: " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Reports the placement of the rows, and returns the number of leaseholders outside the home region of their
     * rows.
     */
    private String placement(Consumer<String> listener) {
        Placement placement = readPlacement();
        PlacementTable.of(placement, running.map()).lines().forEach(listener);
        return Integer.toString(placement.away().size());
    }
}

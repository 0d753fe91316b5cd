package io.movr.report;

import io.movr.stats.Interval;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What movr and the programs that others use for the same work took: what {@code results.json} of {@code movr bench --peers}
 * holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code peers}
 * @param startedAt when the command began, in UTC, ISO 8601
 * @param command the words of the command line
 * @param complete whether all subjects were measured, and no request of the service failed
 */
public record PeerResults(
        int schemaVersion,
        String kind,
        String startedAt,
        List<String> command,
        boolean complete,
        Environment environment,
        List<Figure> figures)
        implements RunResults {

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public @Nullable String page() {
        return null;
    }

    /**
     * One comparison.
     *
     * @param subject what of movr was measured, such as {@code load}
     * @param work what both did
     * @param peer the other program
     * @param unit of both medians
     * @param movr median of movr
     * @param theirs median of the peer
     * @param ratio of the speeds, above 1 where movr is faster, with its 95% interval; {@code null} of latencies at a fixed
     *     rate, whose difference is what movr adds
     */
    public record Figure(
            String subject,
            String work,
            String peer,
            String unit,
            double movr,
            double theirs,
            @Nullable Interval ratio) {}

    /** The figures as a terminal shows them. */
    public String text() {
        TextTable table = new TextTable("lllrrrl")
                .row("subject", "work", "peer", "movr", "peer's", "ratio [95%]", "unit")
                .rule();
        for (Figure figure : figures) {
            Interval ratio = figure.ratio();
            table.row(
                    figure.subject(),
                    figure.work(),
                    figure.peer(),
                    number(figure.movr()),
                    number(figure.theirs()),
                    ratio == null
                            ? String.format(Locale.ROOT, "%+.2f", figure.movr() - figure.theirs())
                            : ratio.text(2),
                    figure.unit());
        }
        return table.toString();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
    }
}

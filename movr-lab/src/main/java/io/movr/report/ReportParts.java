package io.movr.report;

import io.movr.report.LabResults.Check;
import io.movr.report.LabResults.Dataset;
import io.movr.report.LabResults.Published;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Pair;
import io.movr.report.model.Block.PairLayout;
import io.movr.report.model.Block.Pairs;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Part;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import io.movr.report.render.Resources;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the reports of several commands have in common. */
final class ReportParts {

    /** The meaning of each verdict. */
    static final Map<String, String> VERDICTS = verdictMeanings();

    static final String WEAK = "the published figure is a single run on at least one side";

    private static final String NONE = "–";
    private static final int LONG_SECONDS = 120;
    private static final int MANY_MINUTES = 7200;
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private ReportParts() {}

    private static Map<String, String> verdictMeanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put("reproduced", "a real difference in the published direction and of about the published size");
        meanings.put("direction only", "a real difference in the published direction, of another size");
        meanings.put("no difference", "no difference between before and after was shown");
        meanings.put("not reproduced", "a real difference in the opposite direction");
        meanings.put("not judged", "too few runs at a stage to tell by how much runs differ");
        return Collections.unmodifiableMap(meanings);
    }

    /** Returns a number with at least three significant digits, and fewer decimals the larger it is. */
    static String number(double value) {
        return Digits.text(value, decimals(value));
    }

    static Cell measured(@Nullable Double value) {
        return value == null ? Cell.of(NONE) : Cell.of(value, number(value));
    }

    static Cell counted(long count) {
        return Cell.of((double) count, count(count));
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns a count with its noun, such as {@code 3 experiments}. */
    static String count(long count, String noun) {
        return count(count) + " " + noun + (count == 1 ? "" : "s");
    }

    /** Returns an estimate with its interval, and with the digits that a number of its size has. */
    static Cell interval(@Nullable Interval interval) {
        return interval == null ? Cell.of(NONE) : Cell.of(interval, decimals(interval.estimate()));
    }

    private static int decimals(double value) {
        return value < 10 ? 3 : value < 100 ? 2 : 1;
    }

    /** Returns a ratio with its interval. */
    static Cell ratio(@Nullable Interval interval) {
        return Cell.of(interval, 2);
    }

    static String percent(double share) {
        return Digits.rounded(100 * share, 1) + "%";
    }

    /** Returns a noise floor as a percentage, empty if it is not known. */
    static Cell noise(@Nullable Double floor) {
        return floor == null || floor < 1
                ? Cell.EMPTY
                : Cell.of(floor, "±" + Digits.rounded(100 * (floor - 1), 1) + "%");
    }

    static String pValue(@Nullable Double pValue) {
        return pValue == null ? NONE : ComparisonText.pValue(pValue);
    }

    static String duration(@Nullable Double seconds) {
        if (seconds == null) {
            return NONE;
        }
        if (seconds < LONG_SECONDS) {
            return Digits.significant(seconds, 3) + " s";
        }
        long whole = Math.round(seconds);
        return whole < MANY_MINUTES
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }

    static String moment(String time) {
        try {
            return MINUTE.format(Instant.parse(time));
        } catch (DateTimeParseException other) {
            return time;
        }
    }

    /** Returns the words with commas and a final "and". */
    static String joined(List<String> words) {
        return words.size() < 2
                ? String.join("", words)
                : String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.get(words.size() - 1);
    }

    /** Returns the name and version of the server without its compiler and platform. */
    static String server(Environment environment) {
        String version =
                environment.database().replaceFirst("( on | \\().*", "").strip();
        return version.isEmpty() ? environment.engine() : version;
    }

    /** Returns the address of a file beside the page. */
    static String href(String file) {
        return Arrays.stream(file.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }

    /** Returns the row counts of tables in a line. */
    static String rows(Map<String, Long> rows) {
        return rows.entrySet().stream()
                .map(table -> table.getKey() + " " + count(table.getValue()))
                .collect(Collectors.joining(", "));
    }

    static Cell verdict(String verdict) {
        return Cell.badge(verdict, VERDICTS.getOrDefault(verdict, ""));
    }

    /** Returns the verdicts that differ from each other. */
    static Cell verdicts(List<Published> published) {
        Cell cell = Cell.EMPTY;
        for (String verdict :
                published.stream().map(Published::verdict).distinct().toList()) {
            cell = cell.parts().isEmpty()
                    ? verdict(verdict)
                    : cell.with("", Style.BREAK).with(verdict(verdict).parts().get(0));
        }
        return cell;
    }

    /** Returns what the measured ratio is judged by: the ratio of published medians, otherwise the printed ratio. */
    static double target(Published figure) {
        Interval medians = figure.medians();
        return medians == null ? figure.improvement() : medians.estimate();
    }

    /** Returns the published ratios, with an asterisk where the evidence is weak. */
    static Cell targets(List<Published> published) {
        Cell cell = Cell.EMPTY;
        for (Published figure : published) {
            if (!cell.parts().isEmpty()) {
                cell = cell.with("", Style.BREAK);
            }
            cell = cell.with(Digits.text(target(figure), 2) + (figure.weakEvidence() ? "*" : ""), Style.STRONG)
                    .note(figure.source()
                            + (figure.medians() == null
                                    ? ": printed ratio"
                                    : ": ratio of medians; " + Digits.text(figure.improvement(), 2) + " printed"));
        }
        return cell;
    }

    /** Returns a part for each published figure: its verdict, its reason and what was printed. */
    static Block published(List<Published> published, boolean isJudged) {
        List<Block> parts = new ArrayList<>();
        for (Published figure : published) {
            Cell heading = Cell.of(figure.source() + " ");
            if (isJudged) {
                heading = heading.with(verdict(figure.verdict()).parts().get(0));
            }
            if (figure.weakEvidence()) {
                heading = heading.with(new Part("weak evidence", Style.MUTED, "", WEAK));
            }
            List<Pair> pairs = new ArrayList<>();
            pairs.add(new Pair(
                    figure.metric().isEmpty() ? "figures" : figure.metric(),
                    printed(figure.before(), figure.unit()) + " → " + printed(figure.after(), figure.unit())));
            pairs.add(new Pair("printed ratio", Digits.text(figure.improvement(), 2)));
            if (figure.medians() != null) {
                pairs.add(new Pair("ratio of medians", figure.medians().text(2)));
            }
            String conditions = Stream.of(figure.engine(), figure.conditions())
                    .filter(text -> !text.isEmpty())
                    .collect(Collectors.joining("; "));
            if (!conditions.isEmpty()) {
                pairs.add(new Pair("measured on", conditions));
            }
            parts.add(new Group(
                    "",
                    heading,
                    GroupLayout.PLAIN,
                    List.of(new Text(figure.reason()), new Pairs(figure.source(), PairLayout.LIST, pairs))));
        }
        return parts.isEmpty()
                ? new Group(GroupLayout.PLAIN, List.of())
                : new Group("Published", GroupLayout.COLUMNS, parts);
    }

    /** Returns a published figure as it was printed. */
    private static String printed(double value, String unit) {
        String number = value == Math.rint(value) ? count(Math.round(value)) : Double.toString(value);
        return unit.isEmpty() ? number : number + (unit.equals("%") ? "" : " ") + unit;
    }

    /** Returns where something was measured, on which rows and with which settings. */
    static Section environment(Environment environment, List<String> command, @Nullable Dataset dataset) {
        List<Pair> machine = pairs(
                "Engine", environment.engine(),
                "Database", environment.database(),
                "Gateway", environment.gateway(),
                "Server", environment.embedded() ? "started by this program" : "was running already",
                "Operating system", environment.os(),
                "Processor", environment.processor(),
                "Cores", String.valueOf(environment.cores()),
                "Memory", environment.memoryBytes() <= 0 ? "" : ByteSize.text(environment.memoryBytes()),
                "CPU steal", environment.stolenShare() == null ? "" : percent(environment.stolenShare()),
                "Java", environment.java(),
                "MovR", environment.version(),
                "Commit", environment.commit(),
                "Command", String.join(" ", command));
        List<Pair> settings = environment.settings() == null
                ? List.of()
                : environment.settings().entrySet().stream()
                        .map(setting -> new Pair(setting.getKey(), setting.getValue()))
                        .toList();
        List<Block> right = new ArrayList<>();
        right.add(titled("Server settings", settings));
        if (dataset != null) {
            boolean isGenerated = !dataset.cities().isEmpty();
            List<Pair> rows = new ArrayList<>(pairs(
                    "Scale", isGenerated ? dataset.scale() : "",
                    "Seed", String.valueOf(dataset.seed()),
                    "Cities", String.join(", ", dataset.cities())));
            dataset.rows().forEach((table, number) -> rows.add(new Pair("Rows of " + table, count(number))));
            if (dataset.loadSeconds() != null) {
                rows.add(new Pair("Loaded in", duration(dataset.loadSeconds())));
            }
            right.add(titled("Dataset", rows));
        }
        return new Section("environment", "Environment")
                .addToPage(new Group(
                        GroupLayout.COLUMNS,
                        List.of(titled("Machine and server", machine), new Group(GroupLayout.PLAIN, right))));
    }

    /** Returns pairs of terms and values, and omits empty values. */
    static List<Pair> pairs(@Nullable String... termsAndValues) {
        List<Pair> pairs = new ArrayList<>();
        for (int term = 0; term < termsAndValues.length; term += 2) {
            String value = termsAndValues[term + 1];
            if (value != null && !value.isEmpty()) {
                pairs.add(new Pair(Objects.requireNonNull(termsAndValues[term]), value));
            }
        }
        return pairs;
    }

    /** Returns the facts at the top of a page, and omits empty values. */
    static Pairs facts(@Nullable String... termsAndValues) {
        return new Pairs("Facts", PairLayout.FACTS, pairs(termsAndValues));
    }

    static Group titled(String heading, List<Pair> pairs) {
        return new Group(heading, GroupLayout.PLAIN, List.of(new Pairs(heading, PairLayout.TABLE, pairs)));
    }

    /** Returns the preflight checks. */
    static Table checks(String caption, List<Check> checks) {
        return new Table(
                caption,
                TableLayout.CARDS,
                Column.list("Check | Status | Found | Remedy"),
                checks.stream()
                        .map(check -> List.of(
                                Cell.of(check.name()),
                                Cell.badge(check.status(), ""),
                                Cell.of(check.detail()),
                                Cell.of(check.remedy())))
                        .toList());
    }

    /**
     * Returns how something was measured.
     *
     * @param name of the file with its terms, a paragraph for each
     * @param values what stands for the names in braces
     * @param omitted terms that do not apply
     */
    static Section method(String name, Map<String, String> values, List<String> omitted) {
        String text = Resources.text("/io/movr/report/method/", name + ".txt");
        List<Pair> terms = new ArrayList<>();
        for (String paragraph : text.strip().split("\\R\\R", -1)) {
            String line = paragraph.replaceAll("\\R", " ");
            int colon = line.indexOf(": ");
            if (!omitted.contains(line.substring(0, colon))) {
                String explanation = line.substring(colon + 2);
                for (Map.Entry<String, String> value : values.entrySet()) {
                    explanation = explanation.replace("{" + value.getKey() + "}", value.getValue());
                }
                terms.add(new Pair(line.substring(0, colon), explanation));
            }
        }
        return new Section("method", "Method").addToPage(new Pairs("Method", PairLayout.GLOSSARY, terms));
    }

    /** Returns names with their values. */
    static Map<String, String> named(String... namesAndValues) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int name = 0; name < namesAndValues.length; name += 2) {
            values.put(namesAndValues[name], namesAndValues[name + 1]);
        }
        return values;
    }
}

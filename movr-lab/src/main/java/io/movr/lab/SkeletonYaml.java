package io.movr.lab;

import io.movr.database.Engine;
import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The {@code experiment.yaml} of a statement: <em>before</em> expects the plans of today, <em>after</em> the proposed indexes. */
final class SkeletonYaml {

    private static final Set<Access> BY_INDEX = EnumSet.of(Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN);
    private static final int MAX_TITLE = 100;

    private final SqlStatement statement;
    private final List<Plan> plans;
    private final Map<String, ReadTable> tables;
    private final Map<String, String> indexes;
    private final Engine engine;
    private final List<String> notes;
    private final List<String> before = new ArrayList<>();
    private final List<String> after = new ArrayList<>();

    /**
     * Works out what to expect.
     *
     * @param plans the plan of the statement, and those for some rows of parameters
     * @param tables the tables that the plan reads, by their names there
     * @param indexes the names of the proposed indexes by table, empty if the server gives the name
     * @param notes receives what is worth knowing, in sentences without a full stop
     */
    SkeletonYaml(
            SqlStatement statement,
            List<Plan> plans,
            Map<String, ReadTable> tables,
            Map<String, String> indexes,
            Engine engine,
            List<String> notes) {
        this.statement = statement;
        this.plans = plans;
        this.tables = tables;
        this.indexes = indexes;
        this.engine = engine;
        this.notes = notes;
        tables.forEach(this::expect);
        expectInserts();
    }

    private void expect(String scanned, ReadTable table) {
        if (table.isOnePage()) {
            // How it is read hardly matters, and changes with the statistics.
            return;
        }
        List<PlanNode> scans =
                plans.stream().flatMap(plan -> scans(plan, scanned)).toList();
        boolean everywhere =
                plans.stream().allMatch(plan -> scans(plan, scanned).findAny().isPresent());
        Expectation now = today(scanned, scans);
        if (dependsOnParameters(scans) || !everywhere) {
            notes.add("The plan depends on the parameters: "
                    + (everywhere ? now.describe() : scanned + " is not read with all of them"));
        }
        if (everywhere) {
            before.add(now.describe());
            expectAfter(scanned, table, now).ifPresent(after::add);
        }
    }

    private Optional<String> expectAfter(String scanned, ReadTable table, Expectation now) {
        String index = indexes.get(table.name());
        String name = Expectation.quoted(scanned);
        if (indexes.isEmpty()) {
            return Optional.of(now.describe());
        } else if (index == null) {
            return Optional.empty();
        } else if (scans(plans.get(0), scanned).count() > 1) {
            // An index serves one of the scans, and another may go on reading all rows.
            return fullScans(plans.get(0), scanned) == 1 ? Optional.of("no full scan of " + name) : Optional.empty();
        } else if (index.isEmpty()) {
            return Optional.of("no full scan of " + name);
        }
        return Optional.of(
                "index scan or index-only scan of " + name + (table.isPartition(scanned) ? "" : " by " + index));
    }

    private void expectInserts() {
        plans.get(0)
                .root()
                .all()
                .filter(node -> node.writes() && !tables.containsKey(String.valueOf(node.table())))
                .map(node -> Expectation.insert(String.valueOf(node.table())).describe())
                .distinct()
                .forEach(line -> {
                    before.add(line);
                    after.add(line);
                });
    }

    /**
     * Returns the text of the file.
     *
     * @param ofMovr whether the experiment runs on MovR's rows, or else on copies of the database
     */
    String text(boolean ofMovr) {
        String brief = statement.text().replaceAll("\\s+", " ");
        StringBuilder text = new StringBuilder("title: "
                + json((brief.length() > MAX_TITLE ? brief.substring(0, MAX_TITLE - 1) + "…" : brief)
                        + ": as it is against " + (indexes.isEmpty() ? "a change" : "an index"))
                + "\n");
        if (ofMovr) {
            text.append(
                    "seed: movr\n# The same on 10 times the rows, to see how each side grows:\n# scales: [1, 10]\n");
        } else {
            text.append(
                    "# With a seed.sql that makes its rows by :scale, to see how each side grows:\n# scales: [1, 10]\n");
        }
        if (statement.writes()) {
            text.append(
                    "# Each run is rolled back, so its time is without the commit. To measure that too, leave this out and"
                            + " write reset.sql, which resets a run.\ntransaction: rollback\n");
        }
        text.append("labels:\n  before: as it is\n  after: ")
                .append(indexes.isEmpty() ? "changed" : "with an index")
                .append("\nexpect:\n");
        if (statement.words().contains("insert") && statement.words().contains("returning")) {
            text.append(
                    "  # Values that the server makes up, such as those of a sequence, differ in each run.\n  answer: any\n");
        }
        text.append("  plan:\n");
        append(text, "before", before);
        append(text, "after", after);
        return text.toString();
    }

    private static void append(StringBuilder text, String side, List<String> lines) {
        text.append("    ").append(side).append(':');
        if (lines.isEmpty()) {
            text.append(" any plan\n");
            return;
        }
        text.append('\n');
        lines.forEach(line -> text.append("      - ").append(json(line)).append('\n'));
    }

    private static Stream<PlanNode> scans(Plan plan, String table) {
        return plan.scans().stream().filter(scan -> table.equals(scan.table()));
    }

    private static long fullScans(Plan plan, String table) {
        return scans(plan, table)
                .filter(scan -> IndexProposals.FULL.contains(scan.access()))
                .count();
    }

    private static boolean dependsOnParameters(List<PlanNode> scans) {
        return scans.stream()
                        .map(scan -> IndexProposals.FULL.contains(scan.access()))
                        .distinct()
                        .count()
                > 1;
    }

    private Expectation today(String table, List<PlanNode> scans) {
        Set<Access> accesses = scans.stream()
                .flatMap(scan -> Optional.ofNullable(scan.access()).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Access.class)));
        // Which of them PostgreSQL takes depends on the last VACUUM too, and copies are vacuumed.
        if (!engine.recommendsIndexes() && accesses.stream().anyMatch(BY_INDEX::contains)) {
            accesses.addAll(BY_INDEX);
        }
        List<String> used = scans.stream()
                .map(scan -> Optional.ofNullable(scan.index()).orElse(""))
                .distinct()
                .toList();
        String index =
                used.size() == 1 && !used.get(0).isEmpty() && !accesses.contains(Access.FULL_SCAN) ? used.get(0) : null;
        return new Expectation(table, accesses, index, false, false);
    }

    /** What JSON writes is also a quoted text of YAML. */
    private static String json(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }
}

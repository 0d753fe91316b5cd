package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.check.SimulatedStore.Isolation;
import io.movr.check.SimulatedStore.Run;
import io.movr.check.Transaction.Outcome;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ListAppendCheckerTest {

    private static final Set<AnomalyType> OF_REAL_TIME = EnumSet.of(AnomalyType.STALE_READ, AnomalyType.REAL_TIME);

    /** A history of the folder {@code histories}, and its expected anomalies from {@code expected.json}. */
    private record Expectation(
            String file, Set<String> anomalies, String nearMissOf, Map<Long, List<Long>> finalLists, String why) {

        Report check() {
            List<Transaction> history = Histories.read(folder().resolve(file));
            return finalLists == null ? ListAppendChecker.check(history) : ListAppendChecker.check(history, finalLists);
        }

        @Override
        public String toString() {
            return file + ": " + why;
        }
    }

    private static Path folder() {
        URL folder = Objects.requireNonNull(ListAppendCheckerTest.class.getResource("/histories"));
        try {
            return Path.of(folder.toURI());
        } catch (URISyntaxException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static List<Expectation> expectations() {
        List<Expectation> expectations = new ArrayList<>();
        for (JsonNode node : new JsonMapper().readTree(folder().resolve("expected.json"))) {
            Set<String> anomalies = Stream.of(AnomalyType.values())
                    .map(AnomalyType::id)
                    .filter(id -> node.get("anomalies")
                            .valueStream()
                            .anyMatch(listed -> listed.asString().equals(id)))
                    .collect(Collectors.toSet());
            assertThat(anomalies).hasSize(node.get("anomalies").size());
            Map<Long, List<Long>> finalLists = node.has("finalLists") ? new TreeMap<>() : null;
            node.path("finalLists")
                    .propertyStream()
                    .forEach(list -> finalLists.put(
                            Long.valueOf(list.getKey()),
                            list.getValue().valueStream().map(JsonNode::asLong).toList()));
            expectations.add(new Expectation(
                    node.get("file").asString(),
                    anomalies,
                    node.path("nearMissOf").asString(""),
                    finalLists,
                    node.get("why").asString()));
        }
        return expectations;
    }

    @ParameterizedTest
    @MethodSource("expectations")
    void aHistoryHasTheAnomaliesThatItWasWrittenFor(Expectation expectation) {
        Report report = expectation.check();

        assertThat(report.counts().keySet().stream().map(AnomalyType::id).toList())
                .describedAs("%s %s", expectation, report.examples())
                .containsExactlyInAnyOrderElementsOf(expectation.anomalies);
        assertThat(report.examples().stream().map(Anomaly::type).collect(Collectors.toSet()))
                .isEqualTo(report.counts().keySet());
        assertThat(report.truncated()).isFalse();
        assertThatExamplesAreSound(report);
    }

    @Test
    void everyTypeHasHistoriesWithItAndNearMissesWithoutIt() throws IOException {
        List<Expectation> all = expectations();
        for (AnomalyType type : AnomalyType.values()) {
            assertThat(all)
                    .describedAs(type.id())
                    .anyMatch(expectation -> expectation.anomalies.contains(type.id()))
                    .anyMatch(expectation -> expectation.nearMissOf.equals(type.id()));
        }
        assertThat(all).noneMatch(expectation -> expectation.anomalies.contains(expectation.nearMissOf));
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".jsonl")))
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().map(Expectation::file).toList());
        }
    }

    private static void assertThatExamplesAreSound(Report report) {
        for (Anomaly anomaly : report.examples()) {
            List<Edge> edges = anomaly.edges();
            for (int place = 0; place < edges.size(); place++) {
                Edge edge = edges.get(place);
                assertThat(edge.to())
                        .isSameAs(edges.get((place + 1) % edges.size()).from());
                if (edge.kind() == Edge.Kind.RT) {
                    assertThat(edge.from().end()).isLessThan(edge.to().begin());
                }
            }
            for (Transaction transaction : anomaly.transactions()) {
                assertThat(anomaly.explanation()).contains("T" + transaction.index() + " (");
            }
            long missed =
                    edges.stream().filter(edge -> edge.kind() == Edge.Kind.RW).count();
            switch (anomaly.type()) {
                case G0 -> assertThat(edges).isNotEmpty().allMatch(edge -> edge.kind() == Edge.Kind.WW);
                case G1C -> {
                    assertThat(missed).isZero();
                    assertThat(edges).anyMatch(edge -> edge.kind() == Edge.Kind.WR);
                }
                case G_SINGLE, STALE_READ -> assertThat(missed).isEqualTo(1);
                case G_NONADJACENT, G2_ITEM -> assertThat(missed).isGreaterThanOrEqualTo(2);
                case REAL_TIME -> assertThat(edges).anyMatch(edge -> edge.kind() == Edge.Kind.RT);
                default -> assertThat(edges).isEmpty();
            }
            if (!OF_REAL_TIME.contains(anomaly.type())) {
                assertThat(edges).noneMatch(edge -> edge.kind() == Edge.Kind.RT);
            }
        }
    }

    @Test
    void anExplanationNamesTransactionsListsElementsAndTimes() {
        Report report = check("stale-read.jsonl");

        assertThat(report.examples())
                .extracting(Anomaly::explanation)
                .containsExactly(
                        "T1 (2.000–3.000 ms, process 1) read list 1 without 1, which T0 (0.000–1.000 ms, process 0)"
                                + " appended; T0 ended 1.000 ms before T1 began.");
        assertThat(check("g2-item-write-skew.jsonl").examples())
                .extracting(Anomaly::explanation)
                .containsExactly(
                        "T0 (0.000–5.000 ms, process 0) read list 1 without 2, which T1 (1.000–6.000 ms, process 1)"
                                + " appended; T1 read list 2 without 1, which T0 appended; no serial order explains this.");
    }

    private static Report check(String file) {
        return ListAppendChecker.check(Histories.read(folder().resolve(file)));
    }

    @Test
    void aReportNamesWhatALevelForbids() {
        Report report = check("g2-item-two-groups.jsonl");

        assertThat(report.transactions()).isEqualTo(5);
        assertThat(report.satisfies(Level.READ_COMMITTED)).isTrue();
        assertThat(report.satisfies(Level.SNAPSHOT)).isFalse();
        assertThat(report.forbiddenBy(Level.READ_COMMITTED)).isEmpty();
        assertThat(report.forbiddenBy(Level.SNAPSHOT)).extracting(Anomaly::type).containsExactly(AnomalyType.G_SINGLE);
        assertThat(report.forbiddenBy(Level.SERIALIZABLE)).hasSize(2);
    }

    @Test
    void aHistoryThatAppendsAnElementTwiceIsRejected() {
        List<Transaction> history = List.of(
                new Transaction(0, 0, Outcome.OK, List.of(MicroOp.append(7, 31)), 0, 1),
                new Transaction(1, 0, Outcome.FAIL, List.of(MicroOp.append(7, 31)), 2, 3));

        assertThatThrownBy(() -> ListAppendChecker.check(history))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("T0 and T1 both append 31 to list 7");
    }

    @Test
    void manyExamplesOfATypeAreCountedButNotAllKept() {
        List<Transaction> history = new ArrayList<>();
        for (int key = 0; key < 25; key++) {
            history.add(new Transaction(key, key, Outcome.OK, List.of(MicroOp.read(key, List.of(1L))), 0, 1));
        }

        Report report = ListAppendChecker.check(history);

        assertThat(report.counts()).isEqualTo(Map.of(AnomalyType.UNKNOWN_ELEMENT, 25));
        assertThat(report.examples()).hasSize(ListAppendChecker.EXAMPLES);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void aStoreHasNoAnomalyThatItsIsolationForbids(Isolation isolation) {
        Level level = switch (isolation) {
            case SERIAL -> Level.STRICT_SERIALIZABLE;
            case SNAPSHOT -> Level.SNAPSHOT;
            case READ_COMMITTED -> Level.READ_COMMITTED;
        };
        Map<AnomalyType, Integer> counts = new EnumMap<>(AnomalyType.class);
        for (long seed = 0; seed < 150; seed++) {
            Run run = SimulatedStore.run(isolation, seed, 200, 2 + (int) (seed % 8), 3 + (int) (seed % 5));
            for (Report report : List.of(
                    ListAppendChecker.check(run.history()), ListAppendChecker.check(run.history(), run.finalLists()))) {
                assertThat(report.forbiddenBy(level))
                        .describedAs("seed %s", seed)
                        .isEmpty();
                assertThat(report.satisfies(level)).isTrue();
                assertThat(report.truncated()).isFalse();
                assertThatExamplesAreSound(report);
                report.counts().forEach((type, count) -> counts.merge(type, count, Integer::sum));
            }
        }
        switch (isolation) {
            case SERIAL -> assertThat(counts).isEmpty();
            case SNAPSHOT -> assertThat(counts).containsKey(AnomalyType.G2_ITEM);
            case READ_COMMITTED ->
                assertThat(counts).containsKeys(AnomalyType.LOST_UPDATE, AnomalyType.G_SINGLE, AnomalyType.G2_ITEM);
        }
    }

    @Test
    void aChangedReadOfACorrectHistoryIsDetected() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Run run = SimulatedStore.run(Isolation.SERIAL, seed, 60, 4, 3);

            assertThat(types(change(run, random, 1, read -> {
                        read.add(random.nextInt(read.size() + 1), read.get(random.nextInt(read.size())));
                        return read;
                    })))
                    .describedAs("element twice, seed %s", seed)
                    .contains(AnomalyType.DUPLICATE);
            assertThat(types(change(run, random, 2, read -> {
                        read.remove(random.nextInt(read.size() - 1));
                        return read;
                    })))
                    .describedAs("element missing, seed %s", seed)
                    .contains(AnomalyType.INCOMPATIBLE_ORDER);
            assertThat(types(change(run, random, 2, read -> {
                        int place = random.nextInt(read.size() - 1);
                        Collections.swap(read, place, place + 1 + random.nextInt(read.size() - 1 - place));
                        return read;
                    })))
                    .describedAs("elements swapped, seed %s", seed)
                    .contains(AnomalyType.INCOMPATIBLE_ORDER);
            assertThat(types(change(run, random, 1, read -> {
                        read.add(-1L);
                        return read;
                    })))
                    .describedAs("unknown element, seed %s", seed)
                    .contains(AnomalyType.UNKNOWN_ELEMENT);
        }
    }

    private static Set<AnomalyType> types(Run run) {
        return ListAppendChecker.check(run.history(), run.finalLists()).counts().keySet();
    }

    /** Returns the run with one changed read. */
    private static Run change(Run run, Random random, int shortest, UnaryOperator<List<Long>> change) {
        List<Transaction> history = new ArrayList<>(run.history());
        while (true) {
            int place = random.nextInt(history.size());
            Transaction transaction = history.get(place);
            List<MicroOp> steps = new ArrayList<>(transaction.operations());
            int step = random.nextInt(steps.size());
            List<Long> read = steps.get(step).read();
            if (transaction.outcome() == Outcome.OK && read != null && read.size() >= shortest) {
                steps.set(step, MicroOp.read(steps.get(step).key(), change.apply(new ArrayList<>(read))));
                history.set(place, with(transaction, steps));
                return new Run(history, run.finalLists());
            }
        }
    }

    private static Transaction with(Transaction transaction, List<MicroOp> steps) {
        return new Transaction(
                transaction.index(),
                transaction.process(),
                transaction.outcome(),
                steps,
                transaction.begin(),
                transaction.end());
    }

    @Test
    void theVerdictOnSmallHistoriesEqualsThatOfTryingAllOrders() {
        int[] explained = new int[2];
        int[] strictlyExplained = new int[2];
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Isolation isolation = one(List.of(Isolation.values()), random);
            Run run = SimulatedStore.run(
                    isolation, seed, 2 + random.nextInt(5), 2 + random.nextInt(3), 1 + random.nextInt(3));
            if (random.nextBoolean()) {
                run = distort(run, random);
            }
            Map<Long, List<Long>> finalLists = new HashMap<>(run.finalLists());
            finalLists.values().removeIf(List::isEmpty);
            Report report = ListAppendChecker.check(run.history(), finalLists);
            boolean serializable = SimulatedStore.isSerializable(run.history(), finalLists, false);
            boolean strict = SimulatedStore.isSerializable(run.history(), finalLists, true);

            assertThat(OF_REAL_TIME.containsAll(report.counts().keySet()))
                    .describedAs("seed %s: %s %s %s", seed, run, report.counts(), report.examples())
                    .isEqualTo(serializable);
            assertThat(report.counts().isEmpty())
                    .describedAs("strictly, seed %s: %s %s %s", seed, run, report.counts(), report.examples())
                    .isEqualTo(strict);
            explained[serializable ? 1 : 0]++;
            strictlyExplained[strict == serializable ? 1 : 0]++;
        }
        assertThat(explained[0]).isGreaterThan(2_000);
        assertThat(explained[1]).isGreaterThan(2_000);
        assertThat(strictlyExplained[0]).isGreaterThan(200);
    }

    /** Returns the transactions with other prefixes in their reads, other times or other outcomes. */
    private static Run distort(Run run, Random random) {
        List<Transaction> history = new ArrayList<>();
        for (Transaction transaction : run.history()) {
            List<MicroOp> steps = new ArrayList<>(transaction.operations());
            long begin = transaction.begin();
            long end = transaction.end();
            switch (random.nextInt(4)) {
                case 0 -> {
                    int step = random.nextInt(steps.size());
                    long key = steps.get(step).key();
                    List<Long> list = run.finalLists().getOrDefault(key, List.of());
                    if (steps.get(step).read() != null) {
                        steps.set(step, MicroOp.read(key, list.subList(0, random.nextInt(list.size() + 1))));
                    }
                }
                case 1 -> {
                    long later = random.nextInt(300_000);
                    begin += later;
                    end += later;
                }
                default -> {}
            }
            Outcome outcome = random.nextInt(30) == 0 ? one(List.of(Outcome.values()), random) : transaction.outcome();
            history.add(new Transaction(transaction.index(), transaction.process(), outcome, steps, begin, end));
        }
        return new Run(history, run.finalLists());
    }

    private static <T> T one(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}

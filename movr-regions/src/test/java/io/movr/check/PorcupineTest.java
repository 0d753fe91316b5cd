package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.check.Transaction.Outcome;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import io.movr.workload.Isolation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the checker with Porcupine, which shares no code with it and searches for an order instead of cycles. Both check
 * transactions of one step: such a history is strictly serializable if and only if each of its lists is linearizable.
 * Requires Go, and its module proxy or a module cache that has Porcupine.
 */
@Tag("full")
class PorcupineTest {

    private static final AppendGenerator.Shape ONE_STEP = new AppendGenerator.Shape(3, 16, 1);
    private static final Duration FETCH_LIMIT = Duration.ofMinutes(2);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(5);
    private static final int MAX_RUNS = 10;
    private static final int MUTATED = 2000;

    @TempDir
    private static Path folder;

    private static Path program;
    private static EmbeddedPostgres server;
    private static String missing;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        if (!ExternalProgram.of("go", "version").works()) {
            missing = "there is no go on the path: install Go 1.21 or later";
            return;
        }
        Path source = Files.createDirectory(folder.resolve("source"));
        for (String file : List.of("main.go", "go.mod", "go.sum")) {
            try (InputStream resource = PorcupineTest.class.getResourceAsStream("/porcupine/" + file)) {
                Files.copy(resource, source.resolve(file));
            }
        }
        ExternalProgram.Ended fetched = go(FETCH_LIMIT, source, "mod", "download");
        if (!fetched.succeeded()) {
            assertThat(fetched.output()).doesNotContain("SECURITY ERROR");
            missing = "go cannot fetch the module of Porcupine: allow it to reach its module proxy";
            return;
        }
        program = folder.resolve("porcupine");
        ExternalProgram.Ended built = go(RUN_LIMIT, source, "build", "-o", program.toString(), ".");
        assertThat(built.code()).as(built.output()).isZero();
        server = EmbeddedPostgres.temporary();
    }

    private static ExternalProgram.Ended go(Duration limit, Path source, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("go", "-C", source.toString()));
        command.addAll(List.of(words));
        return ExternalProgram.of(command).run(limit);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void porcupineIsThere() {
        assumeTrue(missing == null, missing);
    }

    private static AppendRun.RecordedHistory run(
            Isolation isolation,
            List<Gateway> gateways,
            @Nullable Nemesis faults,
            @Nullable ClientDefect defect,
            long seed)
            throws InterruptedException {
        AppendRun run = new AppendRun(
                gateways,
                server.gateway(),
                new AppendRun.Settings(isolation, 4, Duration.ofSeconds(3), 0, ONE_STEP, seed, defect));
        AppendRun.RecordedHistory recorded = run.run(faults, (seconds, ok, failed, unknown) -> {});
        assertThat(recorded.stopReason()).isEmpty();
        assertThat(appends(recorded.history(), Outcome.OK)).isNotEmpty();
        return recorded;
    }

    private static AppendRun.RecordedHistory run(Isolation isolation, @Nullable ClientDefect defect)
            throws InterruptedException {
        return run(isolation, List.of(server.gateway()), null, defect, 1);
    }

    private static List<Transaction> appends(List<Transaction> history, Outcome outcome) {
        return history.stream()
                .filter(one -> one.outcome() == outcome && step(one).kind() == MicroOp.Kind.APPEND)
                .toList();
    }

    private static MicroOp step(Transaction transaction) {
        return transaction.operations().get(0);
    }

    /** Returns the lists that are not linearizable, for which both checkers must agree. */
    private static Set<Long> refused(List<Transaction> history) throws IOException, InterruptedException {
        Set<Long> byPorcupine = refusedByPorcupine(history);
        Set<Long> byOurs = new TreeSet<>();
        Map<Long, List<Transaction>> disputed = new TreeMap<>();
        Map<Long, List<Transaction>> lists =
                history.stream().collect(Collectors.groupingBy(one -> step(one).key()));
        lists.forEach((key, transactions) -> {
            if (!ListAppendChecker.check(transactions).satisfies(Level.STRICT_SERIALIZABLE)) {
                byOurs.add(key);
            }
            if (byOurs.contains(key) != byPorcupine.contains(key)) {
                disputed.put(key, transactions);
            }
        });
        assertThat(disputed)
                .as("lists of which only one checker says that they are linearizable; ours refuses " + byOurs
                        + ", Porcupine " + byPorcupine)
                .isEmpty();
        assertThat(ListAppendChecker.check(history).satisfies(Level.STRICT_SERIALIZABLE))
                .as("the verdict on the whole history")
                .isEqualTo(byOurs.isEmpty());
        return byPorcupine;
    }

    private static Set<Long> refusedByPorcupine(List<Transaction> history) throws IOException, InterruptedException {
        Path file = folder.resolve("history.jsonl");
        Histories.write(history, file);
        ExternalProgram.Ended ended =
                ExternalProgram.of(program.toString(), file.toString()).run(RUN_LIMIT);
        assertThat(ended.code()).as(ended.output()).isIn(0, 1);
        assertThat(ended.output()).as("lists that took too long").doesNotContain("Unknown");
        Set<Long> refused = ended.output()
                .lines()
                .map(line -> Long.valueOf(line.substring(0, line.indexOf(' '))))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ended.code()).isEqualTo(refused.isEmpty() ? 0 : 1);
        return refused;
    }

    private static void assertHolds(AppendRun.RecordedHistory recorded) throws IOException, InterruptedException {
        assertThat(refused(recorded.historyWithLists())).isEmpty();
        assertThat(ListAppendChecker.check(recorded.history(), recorded.lists()).counts())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void listsOfOneServerAreLinearizableAtEveryLevel(Isolation isolation) throws Exception {
        assertHolds(run(isolation, null));
    }

    @Test
    void listsStayLinearizableUnderFaults() throws Exception {
        boolean unknown = false;
        for (int seed = 1; seed <= MAX_RUNS && !unknown; seed++) {
            try (Faults faults =
                    new Faults(server, Map.of("server", server.gateway()), server.gateway(), Faults.LISTS)) {
                // Breaks take place while clients commit, so that answers to commits are lost.
                List<Fault> schedule = List.of(
                        fault(faults, Fault.Kind.BREAK),
                        fault(faults, Fault.Kind.CUT),
                        fault(faults, Fault.Kind.BREAK),
                        fault(faults, Fault.Kind.SLOW),
                        fault(faults, Fault.Kind.BREAK));
                List<Gateway> gateways = List.copyOf(faults.gateways().values());
                List<ListStore.Probe> probes =
                        new SqlLists(gateways, server.gateway(), Isolation.READ_COMMITTED, seed, null).probes();
                Nemesis nemesis = new Nemesis(schedule, faults.actions(), probes, made -> {});
                AppendRun.RecordedHistory recorded = run(Isolation.READ_COMMITTED, gateways, nemesis, null, seed);
                assertThat(nemesis.injected()).hasSameSizeAs(schedule);
                assertHolds(recorded);
                unknown = !appends(recorded.history(), Outcome.INFO).isEmpty();
            }
        }
        assertThat(unknown).as("an append of unknown outcome was judged").isTrue();
    }

    private static Fault fault(Faults faults, Fault.Kind kind) {
        String target = faults.actions().get(kind).keySet().iterator().next();
        return new Fault(kind, target, Duration.ofMillis(300), Duration.ofMillis(700));
    }

    @Test
    void readsFromACacheAreRejected() throws Exception {
        AppendRun.RecordedHistory recorded = run(Isolation.SERIALIZABLE, ClientDefect.CACHE);
        assertThat(refused(recorded.historyWithLists())).isNotEmpty();
        assertThat(ListAppendChecker.check(recorded.history(), recorded.lists()).counts())
                .containsKey(AnomalyType.STALE_READ);
    }

    @Test
    void changesToACorrectHistoryAreRejected() throws Exception {
        AppendRun.RecordedHistory recorded = run(Isolation.READ_COMMITTED, null);
        List<Transaction> good = recorded.historyWithLists();
        Transaction reader = recorded.history().stream()
                .filter(one -> one.outcome() == Outcome.OK)
                .filter(one -> step(one).read() != null && step(one).read().size() >= 2)
                .findFirst()
                .orElseThrow();
        long key = step(reader).key();

        List<Transaction> swapped = new ArrayList<>(good);
        swapped.set(reader.index(), withRead(reader, read -> Collections.swap(read, 0, 1)));
        assertThat(refused(swapped)).containsExactly(key);

        Transaction append = appends(recorded.history(), Outcome.OK).stream()
                .filter(one -> step(one).key() == key)
                .findFirst()
                .orElseThrow();
        List<Transaction> lost = good.stream()
                .map(one -> step(one).key() == key
                                && one.begin() > append.end()
                                && step(one).read() != null
                        ? withRead(one, read -> read.remove(step(append).value()))
                        : one)
                .toList();
        assertThat(refused(lost)).containsExactly(key);
    }

    private interface Change {
        void make(List<Long> read);
    }

    private static Transaction withRead(Transaction reader, Change change) {
        List<Long> read = new ArrayList<>(step(reader).read());
        change.make(read);
        return with(reader, MicroOp.read(step(reader).key(), read), reader.outcome());
    }

    private static Transaction with(Transaction one, MicroOp step, Outcome outcome) {
        return new Transaction(one.index(), one.process(), outcome, List.of(step), one.begin(), one.end());
    }

    private static Transaction moved(Transaction one, long by) {
        return new Transaction(
                one.index(), one.process(), one.outcome(), one.operations(), one.begin() + by, one.end() + by);
    }

    /** One list for each history, as lists do not affect each other. */
    @Test
    void bothGiveTheSameVerdictOnMutatedHistories() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        List<Transaction> all = new ArrayList<>();
        for (int key = 0; key < MUTATED; key++) {
            List<Transaction> history = linearizable(random, key, all.size());
            int mutations = random.nextInt(3);
            for (int count = 0; count < mutations; count++) {
                int place = random.nextInt(history.size());
                history.set(place, mutated(random, history.get(place)));
            }
            all.addAll(history);
        }
        assertThat(refused(all)).hasSizeBetween(MUTATED / 5, MUTATED * 4 / 5);
    }

    /** Four to ten overlapping transactions, each of which takes effect at a moment between its begin and its end. */
    private static List<Transaction> linearizable(SplittableRandom random, long key, int first) {
        List<Transaction> history = new ArrayList<>();
        List<Long> list = new ArrayList<>();
        int count = random.nextInt(4, 11);
        for (int number = 0; number < count; number++) {
            long at = 1000 + 10L * number;
            Outcome outcome = Outcome.OK;
            MicroOp step = MicroOp.read(key, list);
            if (random.nextBoolean()) {
                step = MicroOp.append(key, number);
                int chance = random.nextInt(10);
                outcome = chance == 0 ? Outcome.FAIL : chance <= 3 ? Outcome.INFO : Outcome.OK;
                if (outcome == Outcome.OK || (outcome == Outcome.INFO && random.nextBoolean())) {
                    list.add((long) number);
                }
            }
            // An append of unknown outcome may take effect after its client has given up.
            long end = outcome == Outcome.INFO ? at - random.nextInt(-30, 5) : at + random.nextInt(1, 30);
            history.add(new Transaction(
                    first + number, first + number, outcome, List.of(step), at - random.nextInt(5, 30), end));
        }
        return history;
    }

    private static Transaction mutated(SplittableRandom random, Transaction one) {
        MicroOp step = step(one);
        List<Long> read = step.read();
        if (random.nextInt(3) == 0) {
            return moved(one, random.nextInt(-60, 60));
        }
        if (read == null) {
            List<Outcome> outcomes = List.of(Outcome.OK, Outcome.FAIL, Outcome.INFO);
            return with(one, step, outcomes.get(random.nextInt(outcomes.size())));
        }
        return withRead(one, elements -> {
            switch (random.nextInt(4)) {
                case 0 -> elements.add(random.nextInt(elements.size() + 1), (long) random.nextInt(12));
                case 1 -> Collections.shuffle(elements, new Random(random.nextInt()));
                case 2 -> {
                    if (!elements.isEmpty()) {
                        elements.remove(random.nextInt(elements.size()));
                    }
                }
                default ->
                    elements.subList(random.nextInt(elements.size() + 1), elements.size())
                            .clear();
            }
        });
    }
}

package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.report.TrafficResults.Figure;
import io.movr.traffic.RunOrder.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunOrderTest {

    private static final String BEFORE = "before";
    private static final String AFTER = "after";
    private static final long RUN_MS = 10_000;

    @Test
    void everySecondPairIsReversed() {
        assertThat(RunOrder.turns(List.of(BEFORE, AFTER), 4).stream().map(turn -> turn.side() + turn.number()))
                .containsExactly("before1", "after1", "after2", "before2", "before3", "after3", "after4", "before4");
        assertThat(RunOrder.turns(List.of(BEFORE), 3))
                .containsExactly(new Turn<>(BEFORE, 1), new Turn<>(BEFORE, 2), new Turn<>(BEFORE, 3));
    }

    /** A machine on which each run is 4% slower than the run before it, and whose runs differ by 3%. */
    private static Figure measured(RunOrder order, int runs, double improvement, long seed) {
        List<Turn<String>> turns = new ArrayList<>();
        if (order == RunOrder.ALTERNATING) {
            turns.addAll(RunOrder.turns(List.of(BEFORE, AFTER), runs));
        } else {
            turns.addAll(RunOrder.turns(List.of(BEFORE), runs));
            turns.addAll(RunOrder.turns(List.of(AFTER), runs));
        }
        Random random = new Random(seed);
        Map<String, List<MeasuredRun>> measured = new HashMap<>();
        for (int place = 0; place < turns.size(); place++) {
            String side = turns.get(place).side();
            double level = 200 * Math.exp(0.04 * place + 0.03 * random.nextGaussian());
            measured.computeIfAbsent(side, runsOf -> new ArrayList<>())
                    .add(run(side.equals(AFTER) ? level / improvement : level));
        }
        return TrafficFigures.of(order, measured.get(BEFORE), measured.get(AFTER), List.of(), List.of())
                .get(0);
    }

    private static MeasuredRun run(double latencyMs) {
        List<Request> requests = new ArrayList<>();
        for (long due = 0; due < RUN_MS; due += 100) {
            requests.add(new Request(due, "us-east1", "list_vehicles", false, true, latencyMs, "ok", "boston"));
        }
        return new MeasuredRun(requests, 0, RUN_MS);
    }

    private static int differences(RunOrder order, int runs, int cases) {
        int found = 0;
        for (int number = 0; number < cases; number++) {
            found += measured(order, runs, 1, number).different() ? 1 : 0;
        }
        return found;
    }

    @Test
    void driftOfTheMachineIsNoDifferenceWhereRunsAlternate() {
        int cases = 200;
        assertThat(differences(RunOrder.SEQUENTIAL, 6, cases))
                .as("of one order, all before and then all after")
                .isGreaterThan(cases * 9 / 10);
        for (int runs : new int[] {3, 5, 6}) {
            assertThat(differences(RunOrder.ALTERNATING, runs, cases))
                    .as("%d pairs", runs)
                    .isLessThan(cases / 10);
        }
    }

    @Test
    void aDifferenceIsFoundDespiteDrift() {
        for (int number = 0; number < 50; number++) {
            Figure figure = measured(RunOrder.ALTERNATING, 6, 1.5, number);
            assertThat(figure.different()).isTrue();
            assertThat(figure.improvement().estimate()).isBetween(1.4, 1.6);
        }
    }

    @Test
    void aRatioOfSequentialRunsMentionsDrift() {
        assertThat(measured(RunOrder.SEQUENTIAL, 6, 2, 1).published())
                .isNotEmpty()
                .allSatisfy(
                        published -> assertThat(published.reason()).endsWith("drift of the machine is not excluded."));
        assertThat(measured(RunOrder.ALTERNATING, 6, 2, 1).published())
                .isNotEmpty()
                .allSatisfy(published -> assertThat(published.reason()).doesNotContain("drift"));
    }

    @Test
    void aPairWithARunWithoutLatenciesIsOmitted() {
        MeasuredRun none = new MeasuredRun(
                List.of(new Request(0, "us-east1", "list_vehicles", false, true, 1, "failed_500", "boston")),
                0,
                RUN_MS);
        List<MeasuredRun> before = List.of(run(200), run(400), run(300), run(900));
        List<MeasuredRun> after = List.of(run(100), run(200), run(150), none);
        Figure figure = TrafficFigures.of(RunOrder.ALTERNATING, before, after, List.of(), List.of())
                .get(0);
        assertThat(figure.improvement().estimate()).isCloseTo(2, within(1e-9));
        assertThat(figure.different()).isTrue();
        Figure tooFew = TrafficFigures.of(
                        RunOrder.ALTERNATING, before.subList(1, 4), after.subList(1, 4), List.of(), List.of())
                .get(0);
        assertThat(tooFew.different()).isFalse();
        assertThat(tooFew.published())
                .allSatisfy(published -> assertThat(published.verdict()).isEqualTo("not judged"));
    }
}

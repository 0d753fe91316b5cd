package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.Affected;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.TrafficResults.Second;
import io.movr.report.TrafficResults.Statement;
import io.movr.schema.AppliedStatement;
import io.movr.schema.Stage;
import io.movr.stats.LatencyClasses;
import io.movr.traffic.TrafficPlan.Objective;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class TrafficStatisticsTest {

    private static final long FROM = 1_000_000;
    private static final long TO = FROM + 10_000;
    private static final Objective OBJECTIVE = new Objective(0.99, 200);

    private static Request request(long dueMs, double latencyMs, String outcome) {
        return new Request(dueMs, "us-east1", "list_vehicles", false, dueMs >= FROM, latencyMs, outcome, "boston");
    }

    /** Ten requests in each of ten seconds. */
    private static List<Request> even(double latencyMs) {
        List<Request> requests = new ArrayList<>();
        for (long due = FROM; due < TO; due += 100) {
            requests.add(request(due, latencyMs, "ok"));
        }
        return requests;
    }

    private static MeasuredRun run(List<Request> requests) {
        return new MeasuredRun(requests, FROM, TO);
    }

    private static MeasuredRun with(Request... others) {
        List<Request> requests = even(50);
        requests.addAll(List.of(others));
        return run(requests);
    }

    private static Operation all(MeasuredRun... runs) {
        return TrafficStatistics.operations(List.of(runs), List.of("us-east1")).get(0);
    }

    @Test
    void anOutageIsReportedByClientRegionAndHomeRegion() {
        List<Request> requests = List.of(
                request(FROM - 500, 20, "ok"),
                request(FROM + 100, 3_000, "failed_503"),
                request(FROM + 400, 4_000, "ok"),
                request(FROM + 5_000, 20, "ok"),
                of("paris", FROM + 200, 10_000, "failed_timeout"),
                of("paris", TO + 100, 20, "ok"),
                of("seattle", FROM + 300, 10, "failed_503"));
        assertThat(TrafficStatistics.affected(requests, RegionMap.standard(), FROM, TO))
                .containsExactly(
                        new Affected("us-east1", "europe-west1", 1, 1, 9.92),
                        new Affected("us-east1", "us-east1", 3, 1, 4.3),
                        new Affected("us-east1", "us-west1", 1, 1, null));
    }

    private static Request of(String city, long dueMs, double latencyMs, String outcome) {
        return new Request(dueMs, "us-east1", "list_vehicles", true, true, latencyMs, outcome, city);
    }

    @Test
    void aStatementOfAMigrationIsReportedWithItsSlowestRequest() {
        List<Request> requests = List.of(
                request(FROM - 1, 900, "ok"),
                request(FROM + 10, 22_000, "ok"),
                request(FROM + 20, 30_000, "failed_500"),
                request(FROM + 2_001, 400, "ok"));
        List<Statement> statements = TrafficStatistics.statements(
                List.of(
                        applied("ALTER TABLE users SET LOCALITY GLOBAL", FROM, 2_000),
                        applied("ALTER TABLE rides SET LOCALITY GLOBAL", FROM + 3_000, 1_000)),
                requests);
        assertThat(statements)
                .containsExactly(
                        new Statement(
                                "regional-by-row",
                                "ALTER TABLE users SET LOCALITY GLOBAL",
                                FROM,
                                2,
                                22_000.0,
                                "us-east1"),
                        new Statement(
                                "regional-by-row",
                                "ALTER TABLE rides SET LOCALITY GLOBAL",
                                FROM + 3_000,
                                1,
                                null,
                                null));
    }

    private static AppliedStatement applied(String sql, long startedMs, long tookMs) {
        return new AppliedStatement(
                Stage.REGIONAL_BY_ROW, sql, Instant.ofEpochMilli(startedMs), Duration.ofMillis(tookMs));
    }

    @Test
    void aFailedRequestImprovesNoPercentile() {
        Request[] failures = new Request[100];
        Arrays.setAll(failures, number -> request(FROM + number, 1, "failed_500"));
        Operation found = all(with(failures));
        assertThat(found.p50Ms().estimate()).isEqualTo(50);
        assertThat(found.failed()).isEqualTo(100);
        assertThat(found.answered()).isEqualTo(100);
        assertThat(found.successShare()).isEqualTo(0.5);
        assertThat(found.timedOut()).isZero();
    }

    @Test
    void aTimeoutCountsWithItsTimeLimit() {
        Operation found = all(with(
                request(FROM, 10_000, "failed_timeout"),
                request(FROM, 10_000, "failed_timeout"),
                request(FROM, 1, "failed_connection")));
        assertThat(found.p99Ms().estimate()).isGreaterThan(5_000);
        assertThat(found.maxMs().estimate()).isEqualTo(10_000);
        assertThat(found.timedOut()).isEqualTo(2);
        assertThat(found.failed()).isEqualTo(3);
    }

    @Test
    void withoutResponsesThereIsNoLatency() {
        MeasuredRun none = run(List.of(request(FROM, 1, "failed_500")));
        Operation found = all(none);
        assertThat(found.p50Ms()).isNull();
        assertThat(found.maxMs()).isNull();
        assertThat(found.requestsPerSecond().estimate()).isZero();
        Second second = TrafficStatistics.timeline("before", none.requests()).get(0);
        assertThat(second.p99Ms()).isNull();
        assertThat(second.failed()).isEqualTo(1);
        assertThat(second.counts()).isEmpty();
    }

    @Test
    void countsOfSeveralSecondsCanBeAddedUp() {
        List<Request> requests = even(50);
        requests.add(request(FROM, 10_000, "failed_timeout"));
        requests.add(request(FROM + 999, 7, "refused_vehicle-in-use"));
        requests.add(request(FROM, 1, "failed_500"));
        List<Second> seconds = TrafficStatistics.timeline("before", requests);
        assertThat(seconds).hasSize(10);
        assertThat(seconds.get(0).counts())
                .isEqualTo(LatencyClasses.counts(
                        DoubleStream.concat(DoubleStream.generate(() -> 50).limit(10), DoubleStream.of(7, 10_000))));
        assertThat(seconds.get(9).counts())
                .isEqualTo(LatencyClasses.counts(DoubleStream.generate(() -> 50).limit(10)));
    }

    @Test
    void aRefusalIsAnAnswer() {
        Operation found = all(with(request(FROM, 50, "refused_vehicle-in-use")));
        assertThat(found.refused()).isEqualTo(1);
        assertThat(found.answered()).isEqualTo(101);
        assertThat(found.successShare()).isEqualTo(1);
    }

    @Test
    void answersCountInTheSecondInWhichTheyCome() {
        // A stalled service responds after the steady part to all requests of the steady part.
        assertThat(run(even(11_000)).answersPerSecond()).isZero();
        assertThat(run(even(11_000)).duePerSecond()).isCloseTo(10, within(0.01));
        // A response in the steady part to a request of the warm-up counts.
        assertThat(run(List.of(request(FROM - 500, 600, "ok"))).answersPerSecond())
                .isCloseTo(0.1, within(0.001));
        assertThat(run(List.of(request(FROM - 500, 400, "ok"))).answersPerSecond())
                .isZero();
        // Seconds without an answer count too.
        assertThat(all(run(even(50).subList(0, 50))).requestsPerSecond().estimate())
                .isCloseTo(5, within(0.01));
    }

    @Test
    void theMaximumIsShownWithTheMaximaOfTheRuns() {
        Operation found =
                all(with(request(FROM, 300, "ok")), with(request(FROM, 900, "ok")), with(request(FROM, 500, "ok")));
        assertThat(found.maxMs().estimate()).isEqualTo(900);
        assertThat(found.maxMs().low()).isEqualTo(300);
        assertThat(found.maxMs().high()).isEqualTo(900);
    }

    @Test
    void anObjectiveIsBrokenByRequestsThatFail() {
        LoadGenerator.Load load = new LoadGenerator.Load(10, 0, 0, Duration.ZERO, Duration.ofSeconds(10), 1);
        assertThat(RateSearch.evaluate(OBJECTIVE, load, with(), List.of()).kept())
                .isTrue();
        Probe failing = RateSearch.evaluate(
                OBJECTIVE, load, with(request(FROM, 1, "failed_500"), request(FROM, 1, "failed_500")), List.of());
        assertThat(failing.kept()).isFalse();
        assertThat(failing.why()).isEqualTo("98.0% of 102 requests were answered within 200 ms");
        assertThat(failing.generatorLimit()).isNull();
        Probe slow = RateSearch.evaluate(OBJECTIVE, load, run(even(201)), List.of("it was late"));
        assertThat(slow.kept()).isFalse();
        assertThat(slow.ms()).isEqualTo(201);
        assertThat(slow.generatorLimit()).isEqualTo("it was late");
        assertThat(RateSearch.evaluate(OBJECTIVE, load, run(List.of()), List.of())
                        .kept())
                .isFalse();
    }

    private static Figure tail(List<MeasuredRun> before, List<MeasuredRun> after) {
        return tail(RunOrder.SEQUENTIAL, before, after);
    }

    private static Figure tail(RunOrder order, List<MeasuredRun> before, List<MeasuredRun> after) {
        return TrafficFigures.of(order, before, after, List.of(), List.of()).get(0);
    }

    @Test
    void twoFiguresAreJudgedTogether() {
        // Without the correction the p-value of the tail is between 2.5 and 5%.
        List<MeasuredRun> before = List.of(run(even(200)), run(even(300)), run(even(250)));
        List<MeasuredRun> after = List.of(run(even(140)), run(even(180)), run(even(160)));
        assertThat(tail(before, after).different()).isTrue();
        List<MeasuredRun> idle = List.of(run(even(50)), run(even(50)), run(even(50)));
        List<Figure> both = TrafficFigures.of(RunOrder.SEQUENTIAL, before, after, idle, idle);
        assertThat(both).hasSize(2).noneMatch(Figure::different);
        assertThat(both.get(1).pAdjusted()).isBetween(0.05, 0.1);
    }

    @Test
    void fewerThanThreeRunsAreNotJudged() {
        Figure two = tail(List.of(run(even(200)), run(even(200))), List.of(run(even(100)), run(even(100))));
        assertThat(two.improvement().estimate()).isEqualTo(2);
        assertThat(two.different()).isFalse();
        assertThat(two.published()).isNotEmpty().allSatisfy(published -> {
            assertThat(published.verdict()).isEqualTo("not judged");
            assertThat(published.reason()).contains("too few runs to judge");
        });
    }

    @Test
    void aDifferenceExceedsTheSpreadOfRuns() {
        List<MeasuredRun> before = List.of(run(even(200)), run(even(210)), run(even(190)));
        Figure clear = tail(before, List.of(run(even(120)), run(even(130)), run(even(125))));
        assertThat(clear.different()).isTrue();
        assertThat(clear.published())
                .allSatisfy(published -> assertThat(published.verdict()).isEqualTo("reproduced"));
        Figure noisy = tail(before, List.of(run(even(50)), run(even(210)), run(even(180))));
        assertThat(noisy.different()).isFalse();
        assertThat(noisy.published())
                .allSatisfy(published -> assertThat(published.verdict()).isEqualTo("no difference"));
    }

    @Test
    void moreAnswersASecondAreAnImprovement() {
        List<MeasuredRun> before = List.of(run(even(50)), run(even(50)), run(even(50)));
        List<Request> twice = new ArrayList<>(even(50));
        twice.addAll(even(50));
        List<MeasuredRun> after = List.of(run(twice), run(twice), run(twice));
        Figure figure = TrafficFigures.of(RunOrder.ALTERNATING, List.of(), List.of(), before, after)
                .get(0);
        assertThat(figure.improvement().estimate()).isCloseTo(2, within(1e-9));
        assertThat(figure.published().get(0).after()).isEqualTo(164);
        assertThat(TrafficFigures.of(RunOrder.ALTERNATING, List.of(), List.of(), List.of(), List.of()))
                .isEmpty();
    }
}

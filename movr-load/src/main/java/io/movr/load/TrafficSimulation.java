package io.movr.load;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.movr.UserError;
import io.movr.region.Region;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The traffic of all regions, each on its own app instance, with system properties as settings: see
 * movr-load/README.md.
 *
 * <p>Riders are made up to a step before they are due and then wait, so that Gatling's own scheduling decides nothing.
 * Gatling's report holds the requests that count, by the time from sending to answer; {@code requests.csv} holds the
 * time since they were due. The assertions about a run (success rate, p99, ledger) are checked when the last rider has
 * gone. Each stands in the report as a request of its name, and Gatling asserts that this request succeeds.
 */
public class TrafficSimulation extends Simulation {

    private static final String ARRIVAL = "arrival";
    private static final String LAST = "last";
    private static final String SUCCESS_RATE = "success_rate";
    private static final String P99 = "p99_since_due";
    private static final String LEDGER = "ledger";

    private final Run run;

    /** Creates the simulation, for Gatling. */
    @SuppressWarnings("this-escape")
    public TrafficSimulation() {
        Settings settings = Settings.ofSystem();
        run = new Run(settings);
        List<PopulationBuilder> populations = new ArrayList<>();
        run.arrivals().forEach((region, arrivals) -> populations.add(population(region, arrivals)));
        List<Assertion> assertions = new ArrayList<>();
        assertions.add(succeeded(SUCCESS_RATE));
        settings.maxP99().ifPresent(wanted -> assertions.add(succeeded(P99)));
        settings.database().ifPresent(wanted -> assertions.add(succeeded(LEDGER)));
        setUp(populations).assertions(assertions);
    }

    @Override
    public void before() {
        run.prepare();
    }

    private PopulationBuilder population(Region region, Arrivals arrivals) {
        HttpProtocolBuilder instance = http.baseUrl(
                        String.valueOf(run.settings().instances().get(region)))
                .shareConnections()
                .disableWarmUp()
                .disableCaching()
                .acceptHeader("application/json")
                .userAgentHeader("movr-load");
        ChainBuilder begin =
                exec(pause((Session session) -> Journeys.visit(session).untilDue()), exec(session -> {
                    Journeys.visit(session).begin();
                    return session;
                }));
        ChainBuilder uncounted =
                new Journeys(run.settings(), false).of(run.settings().mix());
        ChainBuilder counted =
                new Journeys(run.settings(), true).of(run.settings().mix());
        ChainBuilder serve = exec(
                begin,
                doIfOrElse((Session session) -> Journeys.visit(session).isWarmup())
                        .then(uncounted)
                        .orElse(group(region.name()).on(counted)));
        return (run.settings().clients() > 0 ? clients(region, serve) : riders(region, arrivals, serve))
                .protocols(instance)
                .andThen(end(region).protocols(instance));
    }

    /** Returns the open population: riders who arrive on schedule, independently of the service. */
    private PopulationBuilder riders(Region region, Arrivals arrivals, ChainBuilder serve) {
        return scenario(region.name())
                .exec(
                        feed(records(arrivals)),
                        exec(session -> session.set(
                                Journeys.VISIT, run.visit(Objects.requireNonNull(session.<Arrival>get(ARRIVAL))))),
                        serve)
                .injectOpen(steps(region));
    }

    /** Returns the closed population: clients who wait for an answer before the next request. */
    private PopulationBuilder clients(Region region, ChainBuilder serve) {
        return scenario(region.name())
                .exec(asLongAs((Session session) -> run.isContinuing())
                        .on(exec(session -> session.set(Journeys.VISIT, run.nextOfClient(region))), serve))
                .injectOpen(atOnceUsers(run.settings().clients()));
    }

    private static Iterator<Map<String, Object>> records(Arrivals arrivals) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return arrivals.hasNext();
            }

            @Override
            public Map<String, Object> next() {
                return Map.of(ARRIVAL, arrivals.next());
            }
        };
    }

    private OpenInjectionStep[] steps(Region region) {
        int[] counts = run.countsBySteps(region);
        OpenInjectionStep[] steps = new OpenInjectionStep[counts.length];
        for (int step = 0; step < counts.length; step++) {
            steps[step] = counts[step] == 0
                    ? nothingFor(run.step())
                    : rampUsers(counts[step]).during(run.step());
        }
        return steps;
    }

    /** Returns the actions after the last region has ended. */
    private PopulationBuilder end(Region region) {
        return scenario(region + " end")
                .exec(session -> session.set(LAST, run.regionEnded()))
                .doIf("#{" + LAST + "}")
                .then(
                        exec(session -> {
                            finish();
                            return session;
                        }),
                        assertion(SUCCESS_RATE, Verdict::success),
                        assertion(P99, Verdict::tail),
                        assertion(LEDGER, Verdict::ledger))
                .injectOpen(atOnceUsers(1));
    }

    private void finish() {
        try {
            run.finish();
        } catch (IOException failed) {
            System.err.println("The run cannot be judged: " + UserError.firstLine(failed));
            throw new IllegalStateException(failed);
        }
    }

    private ChainBuilder assertion(String name, Predicate<Verdict> held) {
        return exec(dummy(name, 1).withSuccess((Session session) -> {
            Verdict verdict = run.verdict();
            return verdict != null && held.test(verdict);
        }));
    }

    private static Assertion succeeded(String name) {
        return details(name).successfulRequests().percent().is(100.0);
    }
}

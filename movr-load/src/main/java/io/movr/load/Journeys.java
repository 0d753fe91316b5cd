package io.movr.load;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.doSwitch;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.onCase;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.movr.load.Operation.ADD_USER;
import static io.movr.load.Operation.END_RIDE;
import static io.movr.load.Operation.LIST_VEHICLES;
import static io.movr.load.Operation.START_RIDE;
import static io.movr.load.Operation.UPDATE_LOCATION;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Choice;
import io.gatling.javaapi.core.Session;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The journeys of riders, composed of the endpoints. */
final class Journeys {

    static final String VISIT = "visit";

    private final Settings settings;
    private final Endpoints endpoints;
    private final boolean counted;

    /** @param counted whether the requests are in Gatling's report */
    Journeys(Settings settings, boolean counted) {
        this.settings = settings;
        this.endpoints = new Endpoints(Journeys::visit, settings.timeout());
        this.counted = counted;
    }

    ChainBuilder of(Mix mix) {
        return switch (mix) {
            case MOVR, PYTHON -> readOrWrite();
            case JOURNEY -> wholeRide();
        };
    }

    /** Returns the journey of the mixes: most riders read the city's vehicles; the others follow some rides and write once. */
    private ChainBuilder readOrWrite() {
        Choice.WithKey[] writes = Stream.of(Operation.values())
                .filter(Operation::isWrite)
                .filter(operation -> operation != UPDATE_LOCATION)
                .map(operation -> onCase(operation).then(ask(operation)))
                .toArray(Choice.WithKey[]::new);
        return doIfOrElse((Session session) -> visit(session).isReading())
                .then(ask(LIST_VEHICLES))
                .orElse(
                        repeat((Session session) -> visit(session).ridesToFollow())
                                .on(rider(Visit::follow), untilAnswered(UPDATE_LOCATION)),
                        rider(Visit::chooseWrite),
                        doSwitch((Session session) -> visit(session).chosen()).on(writes));
    }

    /** Returns the whole journey: browse, register, start a ride, move and end it. */
    private ChainBuilder wholeRide() {
        return exec(
                ask(LIST_VEHICLES),
                afterPause(ask(ADD_USER)),
                afterPause(asLongAs((Session session) -> visit(session).wantsRide())
                        .on(ask(START_RIDE))),
                doIf((Session session) -> visit(session).isRiding())
                        .then(
                                repeat(settings.moves()).on(afterPause(ask(UPDATE_LOCATION))),
                                afterPause(ask(END_RIDE))));
    }

    private static ChainBuilder afterPause(ChainBuilder step) {
        return exec(
                rider(Visit::pause), pause((Session session) -> visit(session).untilDue()), step);
    }

    private ChainBuilder ask(Operation operation) {
        return exec(rider(visit -> visit.ask(operation)), untilAnswered(operation));
    }

    /** Sends a call, and repeats a write with a lost answer under the same key. */
    private ChainBuilder untilAnswered(Operation operation) {
        return asLongAs((Session session) -> visit(session).isAsking())
                .on(
                        doIf((Session session) -> visit(session).call().attempts() > 0)
                                .then(pause((Session session) ->
                                        visit(session).call().pause())),
                        rider(Visit::sending),
                        exec(endpoints.of(operation, counted)),
                        exec(Journeys::answered));
    }

    private static Session answered(Session session) {
        visit(session)
                .answered(Answer.of(
                        session.contains(Endpoints.STATUS) ? session.getInt(Endpoints.STATUS) : null,
                        session.contains(Endpoints.BODY) ? session.getString(Endpoints.BODY) : null,
                        session.contains(Endpoints.REPLAYED)));
        return session.removeAll(Endpoints.STATUS, Endpoints.BODY, Endpoints.REPLAYED)
                .markAsSucceeded();
    }

    private static ChainBuilder rider(Consumer<Visit> does) {
        return exec(session -> {
            does.accept(visit(session));
            return session;
        });
    }

    static Visit visit(Session session) {
        return Objects.requireNonNull(session.<Visit>get(VISIT), "A rider without a visit");
    }
}

package io.movr.load;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A rider in action: the current request, its due time and its outcome. One thread uses a visit at a time. */
final class Visit {

    private static final int MAX_VEHICLES_TRIED = 3;

    private final Run run;
    private final Rider rider;
    private long dueNanos;
    private @Nullable Call call;
    private @Nullable Operation chosen;
    private int vehiclesTried;

    /** @param dueNanos when the rider's first step is due, by {@link System#nanoTime} */
    Visit(Run run, Rider rider, long dueNanos) {
        this.run = run;
        this.rider = rider;
        this.dueNanos = dueNanos;
    }

    boolean isWarmup() {
        return rider.arrival().warmup();
    }

    /** Returns how long it is until the next step is due, in whole milliseconds, never too short. */
    Duration untilDue() {
        long nanos = dueNanos - System.nanoTime();
        return Duration.ofMillis(Math.max(0, (nanos + 999_999) / 1_000_000));
    }

    void begin() {
        run.began(rider.arrival(), dueNanos, System.nanoTime());
    }

    boolean isReading() {
        return !rider.arrival().first().isWrite();
    }

    /** Returns how many active rides report where they are, before the rider writes. */
    int ridesToFollow() {
        return Math.min(run.settings().locations(), rider.ridesInCity());
    }

    /** Decides what to write: the rider's operation, or to start a ride if there is none to end. */
    void chooseWrite() {
        Operation first = rider.arrival().first();
        chosen = first == Operation.END_RIDE && !rider.findRideToEnd() ? Operation.START_RIDE : first;
    }

    Operation chosen() {
        if (chosen == null) {
            throw new IllegalStateException("Nothing has been chosen");
        }
        return chosen;
    }

    /** Reports where another ride is, if there is one. */
    void follow() {
        if (rider.findRideToFollow()) {
            ask(Operation.UPDATE_LOCATION);
        }
    }

    void ask(Operation operation) {
        call = rider.ask(operation, dueNanos);
    }

    boolean isAsking() {
        return call != null;
    }

    /** Returns whether the rider tries another vehicle: the former ones were taken, and the maximum of tries is not reached. */
    boolean wantsRide() {
        return !rider.isRiding() && vehiclesTried++ < MAX_VEHICLES_TRIED;
    }

    boolean isRiding() {
        return rider.isRiding();
    }

    /** Makes the next step due after a pause. */
    void pause() {
        dueNanos =
                Math.max(dueNanos, System.nanoTime()) + run.settings().pause().toNanos();
    }

    /** Returns the current request. */
    Call call() {
        if (call == null) {
            throw new IllegalStateException("Nothing is being asked for");
        }
        return call;
    }

    void sending() {
        Call sent = call();
        if (sent.attempts() == 0 && sent.operation().isWrite()) {
            run.sending(entry(sent, sent.subject(), false));
        }
        sent.sent(System.nanoTime());
    }

    /** Records the end of an attempt: with an answer, or with an unknown outcome. */
    void answered(Answer answer) {
        Call asked = call();
        long now = System.nanoTime();
        if (asked.operation().isWrite()
                && answer.isLost()
                && asked.attempts() <= run.settings().retries()) {
            run.retrying();
            asked.pause(backOff(asked.attempts()));
            return;
        }
        Outcome outcome = outcome(asked, answer, now);
        Arrival arrival = rider.arrival();
        run.ended(new RequestRecord(
                run.timeline().epochMillis(asked.dueNanos()),
                arrival.region(),
                asked.operation(),
                arrival.city(),
                arrival.remote(),
                arrival.warmup(),
                asked.latencyMicros(now),
                asked.serviceMicros(now),
                outcome));
        dueNanos = now;
        call = null;
    }

    private Outcome outcome(Call asked, Answer answer, long now) {
        Outcome outcome = answer.status() == 0
                ? Outcome.failed(
                        asked.sinceLastSent(now).compareTo(run.settings().timeout()) >= 0 ? "timeout" : "connection")
                : Outcome.of(answer.status(), answer.problem());
        Optional<String> row = Optional.empty();
        if (outcome.kind() == Outcome.Kind.OK) {
            row = rider.learn(asked, answer);
            outcome = row.isPresent() ? outcome : Outcome.WRONG_ANSWER;
        }
        if (asked.operation().isWrite()) {
            settle(asked, answer, row);
        }
        return outcome;
    }

    private void settle(Call asked, Answer answer, Optional<String> row) {
        boolean refused = answer.status() >= 400 && answer.status() < 500;
        if (row.isPresent()) {
            run.acknowledged(entry(asked, row.get(), true), answer.replayed());
        } else if (refused && asked.attempts() == 1) {
            run.notDone(asked.key());
        } else {
            // After an attempt whose answer was lost, a refusal of the next one does not say that the first came to
            // nothing.
            run.givenUp(asked.key());
        }
    }

    private Duration backOff(int attempts) {
        long doubled = run.settings().retryPause().toMillis() << Math.min(attempts - 1, 10);
        return Duration.ofMillis(Math.round(doubled * rider.random().nextDouble(0.5, 1.0)));
    }

    private static LedgerEntry entry(Call call, String id, boolean acknowledged) {
        return new LedgerEntry(call.operation().label(), call.city().name(), id, call.key(), acknowledged);
    }
}

package io.movr.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class OpenModelTest {

    private static CompletableFuture<String> after(long millis) {
        return CompletableFuture.supplyAsync(
                () -> "", CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
    }

    private static void await(BooleanSupplier reached) throws InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); !reached.getAsBoolean(); ) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void arrivalsDoNotWaitForEarlierOnes() throws Exception {
        Latencies latencies = new Latencies(3);
        double seconds = OpenModel.run(
                100,
                Duration.ofMillis(500),
                1_000,
                number -> after(1_000),
                (number, nanos, failure) -> latencies.add(nanos, failure));
        assertThat(latencies.answered()).isEqualTo(50);
        assertThat(latencies.percentileMs(0)).isGreaterThanOrEqualTo(999);
        // One after the other they would take 50 s.
        assertThat(seconds).isBetween(1.0, 25.0);
    }

    @Test
    void latencyCountsFromWhenAnArrivalWasDue() throws Exception {
        List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
        OpenModel.run(
                1_000,
                Duration.ofMillis(100),
                1_000,
                number -> {
                    if (number == 0) {
                        // The schedule is held up: all others are late.
                        sleep(300);
                    }
                    return CompletableFuture.completedFuture("");
                },
                (number, took, failure) -> nanos.add(took));
        assertThat(nanos).hasSize(100);
        assertThat(nanos.get(99)).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(150));
    }

    private static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void beyondTheLimitAnArrivalFailsAndIsNotSent() throws Exception {
        AtomicLong begun = new AtomicLong();
        Latencies latencies = new Latencies(3);
        CompletableFuture<String> answer = new CompletableFuture<>();
        OpenModel.run(
                1_000,
                Duration.ofMillis(50),
                8,
                number -> {
                    begun.incrementAndGet();
                    return number < 8 ? answer : CompletableFuture.completedFuture("");
                },
                (number, nanos, failure) -> {
                    latencies.add(nanos, failure);
                    if (number == 49) {
                        answer.complete("");
                    }
                });
        assertThat(begun).hasValue(8);
        assertThat(latencies.answered()).isEqualTo(8);
        assertThat(latencies.failures()).containsExactly(java.util.Map.entry("8 arrivals are in flight", 42L));
    }

    @Test
    void aPoissonProcessFollowsItsRateUntilItIsClosed() throws Exception {
        ConcurrentLinkedQueue<Long> numbers = new ConcurrentLinkedQueue<>();
        OpenModel poisson = OpenModel.poisson(
                "test",
                1,
                10,
                number -> CompletableFuture.completedFuture(""),
                (number, nanos, failure) -> numbers.add(number));
        TimeUnit.MILLISECONDS.sleep(50);
        assertThat(numbers).as("at a rate of 0").isEmpty();
        poisson.rate(1_000);
        await(() -> numbers.size() > 50);
        poisson.rate(0);
        TimeUnit.MILLISECONDS.sleep(500);
        int paused = numbers.size();
        TimeUnit.MILLISECONDS.sleep(300);
        assertThat(numbers).hasSize(paused);
        poisson.rate(1_000);
        await(() -> numbers.size() > paused);
        poisson.close();
        int closed = numbers.size();
        TimeUnit.MILLISECONDS.sleep(50);
        assertThat(numbers).hasSize(closed);
    }
}

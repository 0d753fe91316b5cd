package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.movr.UserError;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.sender.Latencies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SteadyTrafficTest {

    private static final RegionMap MAP = RegionMap.standard();
    private static final Region EAST = MAP.primary();
    private static final String ID = "00000000-0000-4000-8000-000000000001";

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final SteadyTraffic traffic = new SteadyTraffic(MAP);
    private final AtomicInteger inProgress = new AtomicInteger();
    private volatile boolean broken;
    private volatile int ofAStart = 201;
    private volatile boolean slow;
    private HttpServer service;

    @BeforeEach
    void start() throws Exception {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        service.setExecutor(Executors.newCachedThreadPool());
        service.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            seen.add(path + " " + exchange.getRequestURI().getQuery());
            inProgress.incrementAndGet();
            if (slow) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            }
            byte[] page = ("{\"items\":[{\"id\":\"" + ID + "\",\"type\":\"bike\",\"owner_id\":\"" + ID + "\"}]}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Location", "/api/rides/x/" + ID);
            exchange.sendResponseHeaders(broken ? 503 : path.equals("/api/rides") ? ofAStart : 200, page.length);
            inProgress.decrementAndGet();
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        service.start();
        traffic.open(EAST, "http://127.0.0.1:" + service.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        traffic.close();
        service.stop(0);
    }

    private void await(java.util.function.BooleanSupplier reached) throws InterruptedException {
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); !reached.getAsBoolean(); ) {
            assertThat(System.nanoTime()).as("seen: " + seen).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private Latencies sinceStart(long begun) {
        return traffic.latencies(EAST, begun, System.nanoTime());
    }

    @Test
    void closingWaitsForResponses() throws Exception {
        slow = true;
        traffic.set(100, 0, 0);
        await(() -> inProgress.get() > 5);
        traffic.close();
        assertThat(inProgress).hasValue(0);
        int sent = seen.size();
        traffic.close();
        assertThat(seen).hasSize(sent);
    }

    @Test
    void citiesOfTheRegionAreRequestedAndRidesAreStartedAndEnded() throws Exception {
        long begun = System.nanoTime();
        traffic.set(100, 0, 0.1);
        await(() -> seen.stream().anyMatch(path -> path.startsWith("/api/rides/x/" + ID + "/end"))
                && sinceStart(begun).percentileMs(99) != null);
        assertThat(seen)
                .filteredOn(path -> path.startsWith("/api/vehicles"))
                .allSatisfy(path -> assertThat(MAP.citiesOf(EAST)).anyMatch(path::endsWith));
        Latencies latencies = sinceStart(begun);
        assertThat(latencies.answered()).isPositive();
        assertThat(latencies.errors()).isZero();
        assertThat(latencies.percentileMs(50)).isPositive().isLessThanOrEqualTo(latencies.percentileMs(95));
        assertThat(traffic.started().values())
                .isNotEmpty()
                .allSatisfy(rides -> assertThat(rides)
                        .isNotEmpty()
                        .allMatch(ride -> UUID.fromString(ID).equals(ride.ride())
                                && UUID.fromString(ID).equals(ride.vehicle())
                                && !ride.answered().isBefore(ride.sent())));
        traffic.set(0, 0, 0.1);
        assertThat(traffic.perSecond()).isZero();
    }

    @Test
    void spansThatFollowEachOtherHaveEachRequestOnce() throws Exception {
        long begun = System.nanoTime();
        traffic.set(100, 0, 0);
        List<Long> times = new ArrayList<>(List.of(begun));
        await(() -> {
            times.add(System.nanoTime());
            return sinceStart(begun).answered() > 150;
        });
        long end = times.get(times.size() - 1);
        long sum = 0;
        for (int span = 1; span < times.size(); span++) {
            sum += traffic.latencies(EAST, times.get(span - 1), times.get(span)).answered();
        }
        assertThat(sum)
                .isPositive()
                .isEqualTo(traffic.latencies(EAST, begun, end).answered());
    }

    @Test
    void aRemoteShareRequestsCitiesOfOtherRegionsAndErrorsAreInNoPercentile() throws Exception {
        broken = true;
        long begun = System.nanoTime();
        traffic.set(100, 1, 0.1);
        await(() -> sinceStart(begun).errors() > 5);
        assertThat(seen).allSatisfy(path -> assertThat(MAP.citiesOf(EAST)).noneMatch(path::endsWith));
        assertThat(sinceStart(begun).percentileMs(50)).isNull();
    }

    @Test
    void withoutAShareOfRidesNoneIsStarted() throws Exception {
        long begun = System.nanoTime();
        traffic.set(100, 0, 0);
        await(() -> sinceStart(begun).answered() > 50);
        assertThat(seen).allMatch(path -> path.startsWith("/api/vehicles"));
        assertThat(traffic.started()).isEmpty();
    }

    @Test
    void anUnansweredStartMayHaveCreatedARide() throws Exception {
        ofAStart = 503;
        traffic.set(100, 0, 0.5);
        await(() -> !traffic.started().isEmpty());
        assertThat(traffic.started().values())
                .allSatisfy(rides -> assertThat(rides).allMatch(ride -> ride.ride() == null));
    }

    @Test
    void aRefusedRideIsNotCounted() throws Exception {
        ofAStart = 409;
        traffic.set(100, 0, 0.5);
        await(() -> seen.stream().filter(path -> path.startsWith("/api/rides")).count() > 5);
        assertThat(traffic.started()).isEmpty();
    }

    @Test
    void valuesOutOfRangeAreRejected() {
        assertThatThrownBy(() -> traffic.set(101, 0, 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("0 to 100");
        assertThatThrownBy(() -> traffic.set(1, 1.5, 0)).hasMessageContaining("0 to 1");
        assertThatThrownBy(() -> traffic.set(1, 0, -0.1)).hasMessageContaining("write share");
        assertThatThrownBy(() -> traffic.set(Double.NaN, 0, 0)).isInstanceOf(UserError.class);
    }
}

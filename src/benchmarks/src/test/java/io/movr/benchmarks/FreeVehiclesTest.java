package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.movr.sender.HttpSender;
import io.movr.sender.Latencies;
import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that refuses to start a ride with a vehicle in use, as movr's does, and to end the rides of one vehicle. */
class FreeVehiclesTest {

    private static final String NEVER_ENDS = "v2";

    private final Set<String> inUse = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private HttpServer service;
    private ServiceRequests requests;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/api/rides", this::answer);
        service.start();
        requests = new ServiceRequests(
                new HttpSender(), "http://127.0.0.1:" + service.getAddress().getPort(), Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        service.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        int status;
        if (path.equals("/api/rides")) {
            String vehicle = body.replaceAll(".*\"vehicle_id\": \"([^\"]*)\".*", "$1");
            status = inUse.add(vehicle) ? 201 : 409;
            exchange.getResponseHeaders().set("Location", "/api/rides/" + vehicle);
        } else {
            String vehicle = path.replaceAll("/api/rides/(.*)/end", "$1");
            status = vehicle.equals(NEVER_ENDS) ? 503 : 200;
            if (status == 200) {
                inUse.remove(vehicle);
            }
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static Vehicle vehicle(String id) {
        return new Vehicle("seattle", id, "owner");
    }

    @Test
    void moreRidersThanVehiclesDoNotMeet() throws Exception {
        FreeVehicles free = new FreeVehicles(List.of(vehicle("v1"), vehicle("v3")), Duration.ofMinutes(1));
        Latencies latencies = new Latencies(3);
        Service.run(1_000, Duration.ofMillis(200), number -> free.ride(requests), number -> latencies);
        assertThat(latencies.failures()).isEmpty();
        assertThat(latencies.answered()).isEqualTo(200);
        assertThat(inUse).isEmpty();
    }

    @Test
    void aVehicleWhoseRideDidNotEndIsNotRiddenAgain() throws Exception {
        FreeVehicles free = new FreeVehicles(List.of(vehicle(NEVER_ENDS), vehicle("v1")), Duration.ofMinutes(1));
        assertThat(ridden(free)).isEqualTo("Answered 503");
        for (int ride = 0; ride < 3; ride++) {
            assertThat(ridden(free)).isEmpty();
        }
        assertThat(inUse).containsExactly(NEVER_ENDS);
        assertThat(ridden(new FreeVehicles(List.of(), Duration.ofMillis(1)))).startsWith("No vehicle is free");
    }

    private String ridden(FreeVehicles free) {
        return free.ride(requests).toCompletableFuture().join();
    }
}

package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.movr.benchmarks.ServiceRequests.Vehicle;
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
        requests =
                new ServiceRequests("http://127.0.0.1:" + service.getAddress().getPort());
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
        FixedRate rate = new FixedRate(8);
        rate.run(1_000, Duration.ofMillis(200), number -> free.ride(requests));
        assertThat(rate.firstFailure()).isEmpty();
        assertThat(rate.latencyMicros().getTotalCount()).isEqualTo(200);
    }

    @Test
    void aVehicleWhoseRideDidNotEndIsNotRiddenAgain() throws Exception {
        FreeVehicles free = new FreeVehicles(List.of(vehicle(NEVER_ENDS), vehicle("v1")), Duration.ofMinutes(1));
        assertThatThrownBy(() -> free.ride(requests)).hasMessageContaining("503");
        for (int ride = 0; ride < 3; ride++) {
            free.ride(requests);
        }
        assertThat(inUse).containsExactly(NEVER_ENDS);
        FreeVehicles none = new FreeVehicles(List.of(), Duration.ofMillis(1));
        assertThatThrownBy(() -> none.ride(requests)).hasMessageContaining("No vehicle is free");
    }
}

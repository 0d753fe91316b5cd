package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Executes commands on PostgreSQL servers, with a service that executes each request a chosen number of times. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RegionCommandsOnServersTest {

    private static final RegionMap MAP = RegionMap.standard();
    private static final UUID RIDER = UUID.randomUUID();
    private static final UUID VEHICLE = UUID.randomUUID();

    /** Records how each command ended. */
    private static final class Heard implements RegionCommands.Listener {

        private final List<String> endings = new ArrayList<>();
        private final boolean fails;

        Heard(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void began(long number, String verb, String commandLine) {
            fail();
        }

        @Override
        public void progress(long number, String what) {
            fail();
        }

        @Override
        public void ended(long number, boolean done, String message) {
            endings.add(done + ": " + message);
            fail();
        }

        private void fail() {
            if (fails) {
                throw new IllegalStateException("A listener that fails");
            }
        }
    }

    private static Cluster clusterAt(EmbeddedPostgres server) {
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        MAP.cities().keySet().forEach(region -> gateways.put(region, server.gateway()));
        return Cluster.at(gateways);
    }

    /** Answers as the service does, and executes each start of a ride several times. */
    private static void withTraffic(RunningRegions running, Gateway gateway, int times) throws Exception {
        String page = "{\"items\":[{\"id\":\"" + VEHICLE + "\",\"type\":\"bike\",\"owner_id\":\"" + RIDER + "\"}]}";
        int before = remembered(running);
        AtomicInteger arrived = new AtomicInteger();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        var threads = Executors.newCachedThreadPool();
        service.setExecutor(threads);
        service.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean starts = exchange.getRequestURI().getPath().equals("/api/rides");
            UUID ride = UUID.randomUUID();
            if (starts) {
                arrived.incrementAndGet();
                String city = body.replaceFirst("(?s).*\"city\": \"([^\"]*)\".*", "$1");
                try (Connection connection = gateway.connect()) {
                    for (int time = 0; time < times; time++) {
                        insert(connection, city, time == 0 ? ride : UUID.randomUUID());
                    }
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            }
            exchange.getResponseHeaders().add("Location", "/api/rides/x/" + ride);
            byte[] answer = page.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(starts ? 201 : 200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
        running.traffic()
                .open(MAP.primary(), "http://127.0.0.1:" + service.getAddress().getPort());
        try {
            running.traffic().set(20, 0, 0.5);
            while (arrived.get() < 3) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
            running.traffic().set(0, 0, 0);
            do {
                // Longer than until the traffic sees that it has ended.
                TimeUnit.MILLISECONDS.sleep(500);
            } while (remembered(running) - before < arrived.get());
        } finally {
            service.stop(1);
            threads.shutdownNow();
        }
    }

    private static int remembered(RunningRegions running) {
        return running.traffic().started().values().stream()
                .mapToInt(List::size)
                .sum();
    }

    private static void insert(Connection connection, String city, UUID ride) throws SQLException {
        Rows.update(
                connection,
                "INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_time) VALUES (?, ?, ?, ?, ?, ?)",
                List.of(ride, city, city, RIDER, VEHICLE, LocalDateTime.now(ZoneOffset.UTC)));
    }

    @Test
    void theLedgerFindsRidesThatWereCreatedTwice() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Cluster cluster = clusterAt(server);
                RunningRegions running = new RunningRegions(cluster, MAP)) {
            new Schema(Engine.POSTGRESQL, server.gateway()).migrateTo(Stage.BASELINE);
            RegionCommands commands = new RegionCommands(running);
            withTraffic(running, server.gateway(), 1);
            commands.execute(List.of("ledger"), progress -> {});
            long before = commands.ledger().acknowledged();
            assertThat(before).isPositive().isEqualTo(commands.ledger().found());
            assertThat(commands.ledger().doubled()).isZero();

            withTraffic(running, server.gateway(), 2);
            String said = commands.execute(List.of("ledger"), progress -> {});
            assertThat(commands.ledger().lost()).isZero();
            assertThat(commands.ledger().doubled())
                    .isPositive()
                    .isEqualTo(commands.ledger().acknowledged() - before);
            assertThat(said).endsWith("0 lost, " + commands.ledger().doubled() + " duplicated");
        }
    }

    @Test
    @Tag("full")
    void theLedgerFindsARideThatIsOnTwoServers() throws Exception {
        try (EmbeddedRegions cluster =
                        EmbeddedRegions.start(List.copyOf(MAP.cities().keySet()), Distances.standard(), null);
                RunningRegions running = new RunningRegions(cluster, MAP)) {
            new Schema(Engine.POSTGRESQL, cluster.gateway()).migrateTo(Stage.BASELINE);
            withTraffic(running, cluster.gateway(), 1);
            RegionCommands commands = new RegionCommands(running);
            commands.execute(List.of("ledger"), progress -> {});
            assertThat(commands.ledger().doubled()).isZero();

            var city = running.traffic().started().entrySet().iterator().next();
            Region other = List.copyOf(cluster.servers().keySet()).get(1);
            try (Connection connection = cluster.servers().get(other).connect()) {
                Rows.execute(
                        connection,
                        "CREATE TABLE rides (id UUID, city VARCHAR, vehicle_city VARCHAR, rider_id UUID,"
                                + " vehicle_id UUID, start_time TIMESTAMP)");
                insert(connection, city.getKey(), city.getValue().get(0).ride());
            }
            commands.execute(List.of("ledger"), progress -> {});
            assertThat(commands.ledger().doubled()).isEqualTo(1);
        }
    }

    @Test
    void aFailingListenerAffectsNeitherTheOutcomeNorOtherListeners() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Cluster cluster = clusterAt(server);
                RunningRegions running = new RunningRegions(cluster, MAP)) {
            RegionCommands commands = new RegionCommands(running);
            Heard failing = new Heard(true);
            Heard other = new Heard(false);
            commands.addListener(failing);
            commands.addListener(other);
            String done = commands.execute(List.of("migrate", "name-index"), progress -> {});
            assertThat(done).startsWith("at stage name-index");
            assertThat(other.endings).containsExactly("true: " + done);
            assertThat(failing.endings).isEqualTo(other.endings);
            assertThatThrownBy(() -> commands.execute(List.of("migrate", "baseline"), progress -> {}))
                    .isInstanceOf(UserError.class);
            assertThat(other.endings).hasSize(2).last().asString().startsWith("false: ");
        }
    }
}

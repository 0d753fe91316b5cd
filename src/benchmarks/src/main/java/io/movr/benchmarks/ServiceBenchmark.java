package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.Ports;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.report.render.TextTable;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.sender.Latencies;
import io.movr.sender.OpenModel;
import io.movr.traffic.ServiceProcess;
import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A comparison of the service over HTTP with pgbench, which sends the same statements at the same rate over as many
 * connections to the same server. Both alternate. The service is a separate process, whose metrics show the parts of its
 * latency.
 */
final class ServiceBenchmark {

    /**
     * The size of a comparison.
     *
     * @param perSecond arrivals a second, of front pages and then of rides (two requests each)
     * @param seconds of each side and kind, in two halves
     * @param warmUpSeconds of the service before each kind, by as many clients as connections, in a closed loop
     * @param connections of the service's pool, to the service over HTTP, and of pgbench
     */
    record Plan(double perSecond, int seconds, int warmUpSeconds, int connections) {}

    /**
     * The result of the comparison.
     *
     * @param text the figures for a terminal
     * @param complete whether both kinds of request were compared with pgbench, and none failed on either side
     */
    record Result(String text, boolean complete) {}

    private static final double MILLION = 1e6;

    private final Cluster cluster;
    private final DatasetSpec spec;
    private final Plan plan;
    private final Consumer<String> step;

    ServiceBenchmark(Cluster cluster, DatasetSpec spec, Plan plan, Consumer<String> step) {
        this.cluster = cluster;
        this.spec = spec;
        this.plan = plan;
        this.step = step;
    }

    /** A kind of request: over HTTP, and as scripts for pgbench. */
    private interface Kind {
        String name();

        OpenModel.Action action(ServiceRequests requests);

        /** One script for each transaction that may be drawn. */
        List<String> scripts();

        /** Returns the URIs of this kind in the metrics of the service. */
        List<String> uris();
    }

    /** Measures both kinds. */
    Result run() {
        try (Databases databases = new Databases(cluster)) {
            step.accept("Loading the rows…");
            Gateway gateway = databases.create("service");
            new BulkLoader(cluster.engine(), gateway, new LoadProgress())
                    .load(spec, Math.max(1, Math.min(8, plan.connections())), IfFilled.REFUSE);
            new Schema(cluster.engine(), gateway).migrateTo(Stage.UNUSED_INDEX_DROPPED);
            boolean statements = execute(gateway, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
            step.accept("Starting the service…");
            int port = Ports.find(0, 1).get(0);
            Path log = Files.createTempFile("movr-service-", ".log");
            try (ServiceProcess service = ServiceProcess.start(
                    "The service",
                    gateway,
                    port,
                    log,
                    List.of("--set=movr.database.pool-size=" + plan.connections()))) {
                service.await();
                ServiceRequests requests = Service.requests(service);
                String city = spec.cities().get(0);
                String conditions = String.format(
                        Locale.ROOT,
                        "%,d rides in the table, %d connections, %s isolation, service in a heap of %d MiB%n%n",
                        spec.rides(),
                        plan.connections(),
                        "serializable",
                        ServiceProcess.HEAP_MEBIBYTES);
                TextTable table = new TextTable("llrrrrrr")
                        .row("latency in ms", "by way", "done/s", "errors", "p50", "p95", "p99", "max");
                StringBuilder where = new StringBuilder();
                boolean complete = true;
                List<Vehicle> vehicles = Service.vehicles(requests, city);
                int half = vehicles.size() / 2;
                // Each side has its own vehicles: an unfinished ride of one side must not block the other.
                Kind rides = new Rides(city, vehicles.subList(0, half), vehicles.subList(half, vehicles.size()));
                for (Kind kind : List.of(new FrontPage(city), rides)) {
                    complete &= measure(kind, kind.action(requests), service, gateway, statements, table, where);
                }
                ServiceProcess.Metrics metrics = metrics(service);
                String text = conditions + table + "\n" + where
                        + String.format(
                                Locale.ROOT,
                                "%nHeap of the service: %.0f MB in use, %.0f MB after its last full collection, %d MiB allowed%n",
                                metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") / MILLION,
                                metrics.sum("jvm_gc_live_data_size_bytes") / MILLION,
                                ServiceProcess.HEAP_MEBIBYTES);
                // The log is kept if something failed.
                Files.deleteIfExists(log);
                return new Result(text, complete);
            }
        } catch (IOException | SQLException failed) {
            throw new UserError("The service cannot be measured: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Measuring the service was interrupted", interrupted);
        }
    }

    /** Returns whether pgbench was compared, and no request failed on either side. */
    private boolean measure(
            Kind kind,
            OpenModel.Action action,
            ServiceProcess service,
            Gateway gateway,
            boolean statements,
            TextTable table,
            StringBuilder where)
            throws IOException, InterruptedException, SQLException {
        step.accept("Warming up: " + kind.name() + "…");
        warmUp(action);
        Latencies http = new Latencies(3);
        double httpSeconds = 0;
        Latencies pgbench = new Latencies(3);
        double pgbenchSeconds = 0;
        Duration half = Duration.ofMillis(plan.seconds() * 500L);
        Breakdown before = null;
        Breakdown sum = new Breakdown(0, 0, 0, 0, 0, 0, 0, 0, 0);
        String notBeside = "";
        for (int turn = 0; turn < 4; turn++) {
            if (turn == 0 || turn == 3) {
                step.accept(kind.name() + " over HTTP…");
                if (statements) {
                    execute(gateway, "SELECT pg_stat_statements_reset()");
                }
                before = breakdown(kind, service, gateway, false);
                httpSeconds += Service.run(plan.perSecond(), half, action, number -> http);
                sum = sum.plus(breakdown(kind, service, gateway, statements).minus(before));
            } else if (notBeside.isEmpty()) {
                step.accept(kind.name() + " by pgbench…");
                try {
                    Pgbench.Result run =
                            Pgbench.atRate(kind.scripts(), plan.perSecond()).run(gateway, plan.connections(), half);
                    pgbench.addAll(run.latencies());
                    pgbenchSeconds += run.seconds();
                } catch (UserError failed) {
                    if (!(failed.getCause() instanceof IOException)) {
                        throw failed;
                    }
                    notBeside = "pgbench was not compared: " + failed.getMessage() + System.lineSeparator();
                }
            }
        }
        table.row(line(kind.name(), "HTTP", http, httpSeconds));
        if (notBeside.isEmpty()) {
            table.row(line("", "pgbench", pgbench, pgbenchSeconds));
        } else {
            where.append(kind.name()).append(": ").append(notBeside);
        }
        if (http.errors() > 0) {
            where.append(String.format(
                    Locale.ROOT,
                    "%s: %,d requests failed: %s%n",
                    kind.name(),
                    http.errors(),
                    String.join("; ", http.failures().keySet())));
        }
        where.append(sum.text(kind.name(), http.meanMs(), http.answered() + http.errors()));
        return notBeside.isEmpty() && http.errors() + pgbench.errors() == 0;
    }

    /**
     * Warms up the service in a closed loop: the JIT compiler needs tens of thousands of calls, which take minutes at
     * the measured rates.
     */
    private void warmUp(OpenModel.Action action) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.warmUpSeconds());
        AtomicLong next = new AtomicLong();
        Thread[] clients = new Thread[plan.connections()];
        for (int number = 0; number < clients.length; number++) {
            clients[number] = new Thread(() -> {
                while (System.nanoTime() < end) {
                    // A failure here also occurs in the measurement, which counts it.
                    var unused = action.begin(next.getAndIncrement())
                            .toCompletableFuture()
                            .join();
                }
            });
            clients[number].start();
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    /**
     * Returns a line of the table. A failed request counts as slower than any answer; a percentile that failures reach is
     * {@code failed}.
     *
     * @param seconds the length of the measurement
     */
    static List<String> line(String name, String way, Latencies latencies, double seconds) {
        return List.of(
                name,
                way,
                TextTable.number(1, latencies.answered() / seconds),
                Long.toString(latencies.errors()),
                Service.percentile(50, latencies),
                Service.percentile(95, latencies),
                Service.percentile(99, latencies),
                Service.percentile(100, latencies));
    }

    /** Sums since the start of the service, or their difference: seconds and counts. */
    private record Breakdown(
            double http,
            double requests,
            double transactions,
            double repository,
            double calls,
            double acquired,
            double acquisitions,
            double database,
            double statements) {

        Breakdown minus(Breakdown before) {
            return new Breakdown(
                    http - before.http,
                    requests - before.requests,
                    transactions - before.transactions,
                    repository - before.repository,
                    calls - before.calls,
                    acquired - before.acquired,
                    acquisitions - before.acquisitions,
                    database,
                    statements);
        }

        Breakdown plus(Breakdown other) {
            return new Breakdown(
                    http + other.http,
                    requests + other.requests,
                    transactions + other.transactions,
                    repository + other.repository,
                    calls + other.calls,
                    acquired + other.acquired,
                    acquisitions + other.acquisitions,
                    database + other.database,
                    statements + other.statements);
        }

        String text(String name, double clientMs, long arrivals) {
            double each = 1e3 / arrivals;
            return String.format(
                    Locale.ROOT,
                    """
                    Where the mean of %s goes, ms each
                      %7.3f  from when it was due until it was answered
                      %7.3f  … in the service, %.1f requests
                      %7.3f  … … in transactions, their commits included
                      %7.3f  … … … waiting for a connection of the pool
                      %7.3f  … … … in repository calls, %.1f of them
                      %7.3f  … … … … in the database, %.1f statements
                    """,
                    name,
                    clientMs,
                    http * each,
                    requests / arrivals,
                    transactions * each,
                    acquired * each,
                    repository * each,
                    calls / arrivals,
                    database * each,
                    statements / arrivals);
        }
    }

    private static Breakdown breakdown(Kind kind, ServiceProcess service, Gateway gateway, boolean statements)
            throws InterruptedException, SQLException {
        ServiceProcess.Metrics metrics = metrics(service);
        double http = 0;
        double requests = 0;
        for (String uri : kind.uris()) {
            http += metrics.sum("http_server_requests_seconds_sum", "uri=\"" + uri + "\"");
            requests += metrics.sum("http_server_requests_seconds_count", "uri=\"" + uri + "\"");
        }
        double database = 0;
        double executed = 0;
        if (statements) {
            try (Connection connection = gateway.connect();
                    Statement statement = connection.createStatement();
                    ResultSet sums = statement.executeQuery("""
                            SELECT coalesce(sum(total_exec_time), 0) / 1000, coalesce(sum(calls), 0)
                            FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
                            WHERE d.datname = current_database()
                                AND (query LIKE '%vehicles%' OR query LIKE '%rides%' OR query LIKE '%users%'
                                    OR query LIKE '%user_promo_codes%' OR query LIKE '%idempotency_keys%')""")) {
                sums.next();
                database = sums.getDouble(1);
                executed = sums.getDouble(2);
            }
        }
        return new Breakdown(
                http,
                requests,
                metrics.sum("movr_transactions_seconds_sum"),
                metrics.sum("spring_data_repository_invocations_seconds_sum"),
                metrics.sum("spring_data_repository_invocations_seconds_count"),
                metrics.sum("hikaricp_connections_acquire_seconds_sum"),
                metrics.sum("hikaricp_connections_acquire_seconds_count"),
                database,
                executed);
    }

    private static ServiceProcess.Metrics metrics(ServiceProcess service) throws InterruptedException {
        return service.metrics().orElseThrow(() -> new UserError("The service does not tell its metrics"));
    }

    private static boolean execute(Gateway gateway, String sql) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return true;
        } catch (SQLException notHere) {
            return false;
        }
    }

    private static final class FrontPage implements Kind {

        private final String city;

        FrontPage(String city) {
            this.city = city;
        }

        @Override
        public String name() {
            return "front page";
        }

        @Override
        public OpenModel.Action action(ServiceRequests requests) {
            return number -> Service.frontPage(requests, city);
        }

        @Override
        public List<String> scripts() {
            return List.of("""
                    SELECT city, id, type, owner_id, creation_time, status, current_location, CAST(ext AS VARCHAR) AS ext
                    FROM vehicles WHERE city = '%s' AND id > '00000000-0000-0000-0000-000000000000'
                    AND (false OR status = 'available') AND (true OR type = '')
                    ORDER BY id LIMIT 26;
                    """.formatted(city.replace("'", "''")));
        }

        @Override
        public List<String> uris() {
            return List.of("/api/vehicles");
        }
    }

    private static final class Rides implements Kind {

        private final String city;
        private final FreeVehicles vehicles;
        private final List<Vehicle> pgbenchVehicles;

        Rides(String city, List<Vehicle> vehicles, List<Vehicle> pgbenchVehicles) {
            this.city = city;
            this.vehicles = new FreeVehicles(vehicles, FreeVehicles.PATIENCE);
            this.pgbenchVehicles = pgbenchVehicles;
        }

        @Override
        public String name() {
            return "start + end ride";
        }

        @Override
        public OpenModel.Action action(ServiceRequests requests) {
            return number -> vehicles.ride(requests);
        }

        @Override
        public List<String> scripts() {
            String here = city.replace("'", "''");
            return pgbenchVehicles.stream()
                    .map(vehicle -> """
                            BEGIN;
                            SELECT EXISTS (SELECT 1 FROM users WHERE city = '%1$s' AND id = '%2$s');
                            UPDATE vehicles SET status = 'in_use'
                            WHERE city = '%1$s' AND id = '%3$s' AND status = 'available'
                            RETURNING coalesce(current_location, '');
                            INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_address, start_time)
                            VALUES (gen_random_uuid(), '%1$s', '%1$s', '%2$s', '%3$s', '1 Main Street', now())
                            RETURNING id AS ride \\gset
                            INSERT INTO idempotency_keys
                                (city, key, operation, request_hash, response, creation_time)
                            VALUES ('%1$s', 'start-' || gen_random_uuid(), 'start ride', repeat('0', 64), repeat('x', 300), now());
                            COMMIT;
                            BEGIN;
                            SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time,
                                end_time, revenue
                            FROM rides WHERE city = '%1$s' AND id = :ride FOR UPDATE;
                            UPDATE user_promo_codes SET usage_count = usage_count
                            WHERE city = '%1$s' AND user_id = '%2$s'
                            RETURNING city, user_id, code, "timestamp", usage_count;
                            UPDATE rides SET end_address = '1 Main Street', end_time = now(), revenue = 1.29
                            WHERE city = '%1$s' AND id = :ride AND end_time IS NULL;
                            UPDATE vehicles SET status = 'available', current_location = '1 Main Street'
                            WHERE city = '%1$s' AND id = '%3$s' AND status = 'in_use';
                            INSERT INTO idempotency_keys
                                (city, key, operation, request_hash, response, creation_time)
                            VALUES ('%1$s', 'end-' || gen_random_uuid(), 'end ride', repeat('0', 64), repeat('x', 300), now());
                            COMMIT;
                            """.formatted(here, vehicle.owner(), vehicle.id()))
                    .toList();
        }

        @Override
        public List<String> uris() {
            return List.of("/api/rides", "/api/rides/{city}/{id}/end");
        }
    }
}

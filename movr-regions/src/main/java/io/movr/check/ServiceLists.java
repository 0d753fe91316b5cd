package io.movr.check;

import io.movr.UserError;
import io.movr.check.MicroOp.Kind;
import io.movr.check.Transaction.Outcome;
import io.movr.check.WriteResult.WriteOutcome;
import io.movr.sender.HttpSender;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Lists stored by the endpoints of the MovR service. Lists with even keys are the rides of one rider on one vehicle:
 * a client appends by starting and ending a ride, and the element is the address at the end. A ride starts where the
 * previous ride of the vehicle ended, so the addresses give the order without clocks. Lists with odd keys are the
 * uses of a promo code by one user: a client appends by applying the code, and the response contains the count of
 * uses, which is the position of the element.
 *
 * <p>A write without a response is retried with its idempotency key until there is one. One write in twenty is
 * repeated although its response arrived.
 */
final class ServiceLists implements ListStore {

    /** The maximum number of elements of a list: the page size of the service. */
    public static final int MAX_ELEMENTS = 200;

    /** The time limit of a request at the end of a run. */
    private static final Duration FINAL_LIMIT = Duration.ofSeconds(3);

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);
    /** The time after the end of a run during which an unanswered write is retried. */
    private static final Duration FINISH_LIMIT = Duration.ofSeconds(20);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int WRITES_PER_REPEAT = 20;
    private static final String FIRST_ADDRESS = "start";
    private static final String CITY = "city";
    private static final String ID = "[0-9a-f]{8}-[-0-9a-f]{27}";
    /** The problem types that guarantee that nothing was written. */
    private static final Set<String> NOTHING_WRITTEN = Set.of("gateway-unavailable", "contention", "database-timeout");

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<String> baseUrls;
    private final List<String> directBaseUrls;
    private final List<String> cities;
    private final AppendGenerator.Shape shape;
    private final long seed;
    private final boolean withIdempotencyKeys;
    private final String prefix = "check-" + UUID.randomUUID().toString().substring(0, 8);
    private final HttpSender sender = new HttpSender();
    private final ConcurrentMap<Long, ListRows> rowsByKey = new ConcurrentHashMap<>();
    private final Set<String> violations = new ConcurrentSkipListSet<>();
    private @Nullable ListRows probeRows;

    /** The rows of a list. */
    private static final class ListRows {

        private final String city;
        private @Nullable String user;
        /** The id of the vehicle, or the promo code. */
        private @Nullable String resourceId;
        /** The number of rides that may still be active because a client stopped retrying. */
        private final AtomicInteger abandonedRides = new AtomicInteger();

        ListRows(String city) {
            this.city = city;
        }
    }

    /**
     * Creates lists whose rows are created at their first use.
     *
     * @param baseUrls the URLs of the instances for clients, such as {@code http://127.0.0.1:8080}; a retry goes to
     *     the next one
     * @param directBaseUrls the URLs of the same instances without links that faults affect
     * @param cities the cities that the lists are distributed over
     * @param shape the size of the lists: at most {@link #MAX_ELEMENTS} elements, and one operation in a transaction
     * @param withIdempotencyKeys whether writes have an idempotency key; without it, retries can execute a write
     *     twice
     */
    public ServiceLists(
            List<String> baseUrls,
            List<String> directBaseUrls,
            List<String> cities,
            AppendGenerator.Shape shape,
            long seed,
            boolean withIdempotencyKeys) {
        this.baseUrls = List.copyOf(baseUrls);
        this.directBaseUrls = List.copyOf(directBaseUrls);
        this.cities = List.copyOf(cities);
        this.shape = shape;
        this.seed = seed;
        this.withIdempotencyKeys = withIdempotencyKeys;
    }

    @Override
    public void prepare() throws InterruptedException {
        ListRows rows = new ListRows(cities.get(0));
        ServiceClient client = new ServiceClient(0, FINAL_READ_LIMIT, (cause, message) -> {});
        client.finish();
        if (!client.createUser(rows)) {
            throw new UserError("The service cannot create a user");
        }
        probeRows = rows;
    }

    @Override
    public Client client(int number, Duration answerLimit, FailureCounter failures) {
        return new ServiceClient(number, answerLimit, failures);
    }

    @Override
    public List<Probe> probes() {
        return baseUrls.stream()
                .<Probe>map(baseUrl -> new Probe() {
                    @Override
                    public void write() throws IOException, InterruptedException {
                        ListRows rows = probeRows;
                        if (rows == null) {
                            throw new IllegalStateException("The lists are not prepared");
                        }
                        HttpSender.Answer answer = sender.answer(HttpSender.write(
                                "PATCH",
                                baseUrl + "/api/users/" + HttpSender.encoded(rows.city) + "/" + rows.user,
                                "{\"name\": \"Probe\"}",
                                null,
                                PROBE_LIMIT));
                        if (answer.status() != 200) {
                            throw new IOException(answer.failureUnless(200) + " " + answer.body());
                        }
                    }

                    @Override
                    public String target() {
                        return baseUrl;
                    }
                })
                .toList();
    }

    private ServiceAnswer send(HttpRequest request, FailureCounter failures) throws InterruptedException {
        HttpSender.Answer response = sender.answer(request);
        if (!response.failure().isEmpty()) {
            failures.count(
                    response.status() == HttpSender.Answer.NOT_SENT ? "no connection" : "no answer",
                    response.failure());
            return new ServiceAnswer(response.status(), MissingNode.getInstance());
        }
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (JacksonException cut) {
            failures.count("no answer", UserError.firstLine(cut));
            return new ServiceAnswer(HttpSender.Answer.NO_ANSWER, MissingNode.getInstance());
        }
        ServiceAnswer answer = new ServiceAnswer(response.status(), body);
        if (answer.isDone()) {
            if (response.header("Idempotency-Replayed").isPresent()) {
                failures.count("answered again, written once", "");
            }
        } else {
            failures.count(
                    answer.problem(),
                    answer.problem() + ": " + body.path("detail").asString(""));
            if (answer.status() == 500) {
                violations.add("the service answered " + answer.problem() + " to " + request.method() + " "
                        + request.uri().getPath().replaceAll(ID, "…"));
            }
        }
        return answer;
    }

    /**
     * Returns the elements of a list of rides, or the count of uses as the only element, which
     * {@link #readFinalLists} replaces by elements; {@code null} if there is no response.
     */
    private @Nullable List<Long> read(String baseUrl, long key, ListRows rows, Duration limit, FailureCounter failures)
            throws InterruptedException {
        String path = ElementOrders.isRideList(key) ? "/api/rides?rider_id=" : "/api/user_promo_codes?user_id=";
        String page = ElementOrders.isRideList(key) ? "&limit=" + MAX_ELEMENTS : "";
        ServiceAnswer answer = send(
                HttpSender.get(baseUrl + path + rows.user + "&city=" + HttpSender.encoded(rows.city) + page, limit),
                failures);
        if (!answer.isDone()) {
            return null;
        }
        JsonNode items = answer.body().path("items");
        return ElementOrders.isRideList(key)
                ? ElementOrders.rides(items, FIRST_ADDRESS)
                : List.of(
                        items.isEmpty() ? 0 : items.path(0).path("usage_count").asLong());
    }

    @Override
    public FinalState readFinalLists(List<Transaction> history) throws InterruptedException {
        Map<Long, List<Long>> lists = new TreeMap<>();
        long limit = System.nanoTime() + FINAL_READ_LIMIT.toNanos();
        for (Map.Entry<Long, ListRows> entry : rowsByKey.entrySet()) {
            ListRows rows = entry.getValue();
            if (rows.resourceId == null) {
                continue;
            }
            long key = entry.getKey();
            List<Long> read = readFinal(key, rows, limit);
            if (ElementOrders.isRideList(key)) {
                checkVehicleReleased(key, rows, limit);
            }
            lists.put(key, read);
        }
        return new FinalState(ElementOrders.resolved(history, lists), lists, List.copyOf(violations));
    }

    private List<Long> readFinal(long key, ListRows rows, long limit) throws InterruptedException {
        String[] why = {""};
        for (int number = 0; ; number++) {
            String baseUrl = directBaseUrls.get(number % directBaseUrls.size());
            List<Long> read = read(baseUrl, key, rows, FINAL_LIMIT, (cause, message) -> why[0] = message);
            if (read != null) {
                return read;
            }
            if (System.nanoTime() > limit) {
                throw new UserError("Cannot read the lists at the end: " + why[0]);
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** Checks that the vehicle is in use only if a client stopped retrying a ride. */
    private void checkVehicleReleased(long key, ListRows rows, long limit) throws InterruptedException {
        while (true) {
            ServiceAnswer answer = send(
                    HttpSender.get(
                            directBaseUrls.get(0) + "/api/vehicles/" + HttpSender.encoded(rows.city) + "/"
                                    + rows.resourceId,
                            FINAL_LIMIT),
                    (cause, message) -> {});
            if (answer.isDone()) {
                if (answer.body().path("status").asString("").equals("in_use") && rows.abandonedRides.get() == 0) {
                    violations.add("the vehicle of list " + key + " is in use, although every ride with it was ended");
                }
                return;
            }
            if (System.nanoTime() > limit) {
                throw new UserError("Cannot read the vehicles at the end: " + answer.problem());
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** A client of the service. */
    private final class ServiceClient implements Client {

        private final Duration answerLimit;
        private final FailureCounter failures;
        private final SplittableRandom random;
        private int instance;
        private volatile long deadline = Long.MAX_VALUE;

        ServiceClient(int number, Duration answerLimit, FailureCounter failures) {
            this.instance = number;
            this.answerLimit = answerLimit;
            this.failures = failures;
            this.random = new SplittableRandom(seed + number);
        }

        private String baseUrl() {
            return baseUrls.get(Math.floorMod(instance, baseUrls.size()));
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public Result run(List<MicroOp> operations) throws InterruptedException {
            MicroOp step = operations.get(0);
            ListRows rows = rowsByKey.computeIfAbsent(
                    step.key(), key -> new ListRows(cities.get((int) (key / 2 % cities.size()))));
            if (!ensureCreated(step.key(), rows)) {
                return new Result(Outcome.FAIL, operations);
            }
            if (step.kind() == Kind.READ) {
                List<Long> read = ServiceLists.this.read(baseUrl(), step.key(), rows, answerLimit, failures);
                return new Result(read == null ? Outcome.FAIL : Outcome.OK, List.of(MicroOp.read(step.key(), read)));
            }
            return ElementOrders.isRideList(step.key()) ? ride(step, rows) : use(step, rows);
        }

        private Result ride(MicroOp step, ListRows rows) throws InterruptedException {
            WriteResult started = write(
                    "/api/rides",
                    Map.of(
                            CITY,
                            rows.city,
                            "rider_id",
                            requireCreated(rows.user),
                            "vehicle_id",
                            requireCreated(rows.resourceId)),
                    withIdempotencyKeys);
            if (started.outcome() != WriteOutcome.DONE) {
                if (started.outcome() == WriteOutcome.UNKNOWN) {
                    rows.abandonedRides.incrementAndGet();
                }
                // The element is written by the end of the ride, which was not requested.
                return new Result(Outcome.FAIL, List.of(step));
            }
            String id = started.body().path("id").asString();
            WriteResult ended = write(
                    "/api/rides/" + HttpSender.encoded(rows.city) + "/" + id + "/end",
                    Map.of("rider_id", requireCreated(rows.user), "end_address", Long.toString(step.value())),
                    withIdempotencyKeys);
            if (ended.outcome() == WriteOutcome.UNKNOWN) {
                rows.abandonedRides.incrementAndGet();
            } else if (withIdempotencyKeys && ended.outcome() == WriteOutcome.REFUSED) {
                violations.add(
                        "an acknowledged ride of list " + step.key() + " could not be ended: " + ended.problem());
            }
            return new Result(outcome(ended), List.of(step));
        }

        private Result use(MicroOp step, ListRows rows) throws InterruptedException {
            WriteResult applied = write(
                    "/api/user_promo_codes",
                    Map.of(
                            CITY,
                            rows.city,
                            "user_id",
                            requireCreated(rows.user),
                            "code",
                            requireCreated(rows.resourceId)),
                    withIdempotencyKeys);
            return new Result(
                    outcome(applied),
                    applied.outcome() == WriteOutcome.DONE
                            ? List.of(
                                    step,
                                    MicroOp.read(
                                            step.key(),
                                            List.of(applied.body()
                                                    .path("usage_count")
                                                    .asLong())))
                            : List.of(step));
        }

        private static Outcome outcome(WriteResult written) {
            return switch (written.outcome()) {
                case DONE -> Outcome.OK;
                case REFUSED -> Outcome.FAIL;
                case UNKNOWN -> Outcome.INFO;
            };
        }

        /** Returns whether the rows of a list exist; the first client creates them. */
        private boolean ensureCreated(long key, ListRows rows) throws InterruptedException {
            synchronized (rows) {
                if (rows.resourceId != null) {
                    return true;
                }
                if (rows.user == null && !createUser(rows)) {
                    return false;
                }
                if (ElementOrders.isRideList(key)) {
                    WriteResult created = write(
                            "/api/vehicles",
                            Map.of(
                                    CITY,
                                    rows.city,
                                    "owner_id",
                                    requireCreated(rows.user),
                                    "type",
                                    "scooter",
                                    "current_location",
                                    FIRST_ADDRESS),
                            true);
                    rows.resourceId = created.outcome() == WriteOutcome.DONE
                            ? created.body().path("id").asString()
                            : null;
                } else {
                    String code = prefix + "-" + key;
                    WriteResult created = write(
                            "/api/promo_codes",
                            Map.of(
                                    "code",
                                    code,
                                    "description",
                                    "movr check",
                                    "rules",
                                    Map.of("type", "percent_discount", "value", 10, "max_uses", shape.elements())),
                            true);
                    rows.resourceId = created.outcome() == WriteOutcome.DONE ? code : null;
                }
                return rows.resourceId != null;
            }
        }

        private boolean createUser(ListRows rows) throws InterruptedException {
            WriteResult created = write(
                    "/api/users",
                    Map.of(CITY, rows.city, "name", "Check", "address", prefix, "credit_card", "4111111111111111"),
                    true);
            rows.user = created.outcome() == WriteOutcome.DONE
                    ? created.body().path("id").asString()
                    : null;
            return rows.user != null;
        }

        /** Retries a write until there is a response, or until the time limit after the end of the run. */
        private WriteResult write(String path, Map<String, Object> body, boolean withKey) throws InterruptedException {
            String key = UUID.randomUUID().toString();
            boolean repeated = random.nextInt(WRITES_PER_REPEAT) != 0;
            boolean maybeExecuted = false;
            JsonNode acknowledged = null;
            while (true) {
                HttpRequest request = HttpSender.write(
                        "POST", baseUrl() + path, JSON.writeValueAsString(body), withKey ? key : null, answerLimit);
                ServiceAnswer answer = send(request, failures);
                if (acknowledged != null && (answer.isDone() || answer.status() / 100 == 4)) {
                    if (!answer.body().equals(acknowledged)) {
                        violations.add(
                                "an acknowledged write got another response when it was repeated with its key: POST "
                                        + path.replaceAll(ID, "…"));
                    }
                    return new WriteResult(WriteOutcome.DONE, acknowledged, "");
                }
                if (answer.isDone()) {
                    if (repeated) {
                        return new WriteResult(WriteOutcome.DONE, answer.body(), "");
                    }
                    repeated = true;
                    acknowledged = withKey ? answer.body() : null;
                } else if (answer.status() / 100 == 4) {
                    // An earlier attempt with the same key may still be executed. A client without keys ignores that.
                    return new WriteResult(
                            maybeExecuted && withKey ? WriteOutcome.UNKNOWN : WriteOutcome.REFUSED,
                            answer.body(),
                            answer.problem());
                }
                maybeExecuted |= answer.isDone()
                        || answer.status() == HttpSender.Answer.NO_ANSWER
                        || (answer.status() > 0 && !NOTHING_WRITTEN.contains(answer.problem()));
                if (System.nanoTime() - deadline > 0) {
                    if (acknowledged != null) {
                        return new WriteResult(WriteOutcome.DONE, acknowledged, "");
                    }
                    return new WriteResult(
                            maybeExecuted ? WriteOutcome.UNKNOWN : WriteOutcome.REFUSED,
                            MissingNode.getInstance(),
                            answer.problem());
                }
                // The next attempt goes to another instance.
                instance++;
                if (!answer.isDone()) {
                    TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
                }
            }
        }

        @Override
        public void finish() {
            deadline = System.nanoTime() + FINISH_LIMIT.toNanos();
        }

        @Override
        public void close() {}
    }

    private static String requireCreated(@Nullable String id) {
        if (id == null) {
            throw new IllegalStateException("The rows of the list do not exist");
        }
        return id;
    }
}

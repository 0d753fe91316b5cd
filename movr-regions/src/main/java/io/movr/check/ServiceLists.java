package io.movr.check;

import io.movr.UserError;
import io.movr.check.MicroOp.Kind;
import io.movr.check.Transaction.Outcome;
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
 * Lists behind the endpoints of MovR's service. Those with even keys are the rides of a vehicle by one rider: a client
 * appends by starting a ride and ending it, and the element is the address where it ends. As a ride starts where the
 * vehicle's last one ended, the rides tell their order themselves, whatever the clocks say. Those with odd keys are the uses of
 * a promo code by a user: a client appends by applying the code, and is answered the place of its element, which is
 * the count of uses.
 *
 * <p>A write whose answer is lost is sent again with its idempotency key until it is answered. So is one in twenty whose answer
 * arrived.
 */
final class ServiceLists implements ListStore {

    /** Of a list at most: as many as a page of the service holds. */
    public static final int MAX_ELEMENTS = 200;

    /** The time limit of a request at the end of a run. */
    private static final Duration FINAL_LIMIT = Duration.ofSeconds(3);

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);
    /** From the end of a run until a write that was not answered is given up. */
    private static final Duration FINISH_LIMIT = Duration.ofSeconds(20);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int WRITES_PER_REPETITION = 20;
    private static final String FIRST_ADDRESS = "start";
    private static final String CITY = "city";
    private static final String ID = "[0-9a-f]{8}-[-0-9a-f]{27}";
    private static final String PROBLEMS = "/problems/";
    /** Problems that promise that nothing was written. */
    private static final Set<String> NOTHING_WRITTEN = Set.of("gateway-unavailable", "contention", "database-timeout");

    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<String> roots;
    private final List<String> directRoots;
    private final List<String> cities;
    private final AppendGenerator.Shape shape;
    private final long seed;
    private final boolean keyed;
    private final String prefix = "check-" + UUID.randomUUID().toString().substring(0, 8);
    private final HttpSender sender = new HttpSender();
    private final ConcurrentMap<Long, Home> homes = new ConcurrentHashMap<>();
    private final Set<String> violations = new ConcurrentSkipListSet<>();
    private @Nullable Home probed;

    /** The rows of a list. */
    private static final class Home {

        private final String city;
        private @Nullable String user;
        /** A vehicle, or a promo code. */
        private @Nullable String thing;
        /** Rides that may be under way although nobody ends them, because a client gave up. */
        private final AtomicInteger abandoned = new AtomicInteger();

        Home(String city) {
            this.city = city;
        }
    }

    private enum Sent {
        /** It was answered as done. */
        DONE,
        /** It was answered as refused, and was not sent before. */
        REFUSED,
        /** Nobody knows. */
        UNKNOWN
    }

    /** @param problem by which it was refused; empty otherwise */
    private record Written(Sent sent, JsonNode body, String problem) {}

    /** @param status as of {@link HttpSender.Answer}; none if the body was not JSON */
    private record Answer(int status, JsonNode body) {

        boolean isDone() {
            return status / 100 == 2;
        }

        String problem() {
            String type = body.path("type").asString("");
            return type.contains(PROBLEMS)
                    ? type.substring(type.indexOf(PROBLEMS) + PROBLEMS.length())
                    : "status " + status;
        }
    }

    /**
     * Lists that are made when a client needs them.
     *
     * @param roots of the instances as clients reach them, such as {@code http://127.0.0.1:8080}; a write that is sent again goes
     *     to the next one
     * @param directRoots of the same instances, reached without any link that faults cut
     * @param cities that the lists are in, in turn
     * @param shape of the lists, whose elements are at most {@link #MAX_ELEMENTS}, and whose transactions have one operation
     * @param keyed whether writes have an idempotency key, as they should
     */
    public ServiceLists(
            List<String> roots,
            List<String> directRoots,
            List<String> cities,
            AppendGenerator.Shape shape,
            long seed,
            boolean keyed) {
        this.roots = List.copyOf(roots);
        this.directRoots = List.copyOf(directRoots);
        this.cities = List.copyOf(cities);
        this.shape = shape;
        this.seed = seed;
        this.keyed = keyed;
    }

    @Override
    public void prepare() throws InterruptedException {
        Home home = new Home(cities.get(0));
        ServiceClient client = new ServiceClient(0, FINAL_READ_LIMIT, (cause, message) -> {});
        client.end();
        if (!client.makeUser(home)) {
            throw new UserError("The service does not register a user");
        }
        probed = home;
    }

    @Override
    public Client client(int number, Duration answerLimit, Troubles troubles) {
        return new ServiceClient(number, answerLimit, troubles);
    }

    @Override
    public List<Probe> probes() {
        return roots.stream()
                .<Probe>map(root -> new Probe() {
                    @Override
                    public void write() throws IOException, InterruptedException {
                        Home home = probed;
                        if (home == null) {
                            throw new IllegalStateException("The lists are not prepared");
                        }
                        HttpSender.Answer answer = sender.answer(HttpSender.write(
                                "PATCH",
                                root + "/api/users/" + HttpSender.encoded(home.city) + "/" + home.user,
                                "{\"name\": \"Probe\"}",
                                null,
                                PROBE_LIMIT));
                        if (answer.status() != 200) {
                            throw new IOException(answer.failureUnless(200) + " " + answer.body());
                        }
                    }

                    @Override
                    public String shown() {
                        return root;
                    }
                })
                .toList();
    }

    private Answer sent(HttpRequest request, Troubles troubles) throws InterruptedException {
        HttpSender.Answer response = sender.answer(request);
        if (!response.failure().isEmpty()) {
            troubles.count(
                    response.status() == HttpSender.Answer.NOT_SENT ? "no connection" : "no answer",
                    response.failure());
            return new Answer(response.status(), MissingNode.getInstance());
        }
        JsonNode body;
        try {
            body = JSON.readTree(response.body());
        } catch (JacksonException cut) {
            troubles.count("no answer", UserError.firstLine(cut));
            return new Answer(HttpSender.Answer.NO_ANSWER, MissingNode.getInstance());
        }
        Answer answer = new Answer(response.status(), body);
        if (answer.isDone()) {
            if (response.header("Idempotency-Replayed").isPresent()) {
                troubles.count("answered again, written once", "");
            }
        } else {
            troubles.count(
                    answer.problem(),
                    answer.problem() + ": " + body.path("detail").asString(""));
            if (answer.status() == 500) {
                violations.add("the service answered " + answer.problem() + " to " + request.method() + " "
                        + request.uri().getPath().replaceAll(ID, "…"));
            }
        }
        return answer;
    }

    /** The elements of a list of rides, or the count of uses as the only element, which {@link #last} makes elements of. */
    private @Nullable List<Long> read(String root, long key, Home home, Duration limit, Troubles troubles)
            throws InterruptedException {
        String path = ElementOrders.isRides(key) ? "/api/rides?rider_id=" : "/api/user_promo_codes?user_id=";
        String page = ElementOrders.isRides(key) ? "&limit=" + MAX_ELEMENTS : "";
        Answer answer = sent(
                HttpSender.get(root + path + home.user + "&city=" + HttpSender.encoded(home.city) + page, limit),
                troubles);
        if (!answer.isDone()) {
            return null;
        }
        JsonNode items = answer.body().path("items");
        return ElementOrders.isRides(key)
                ? ElementOrders.rides(items, FIRST_ADDRESS)
                : List.of(
                        items.isEmpty() ? 0 : items.path(0).path("usage_count").asLong());
    }

    @Override
    public Final last(List<Transaction> history) throws InterruptedException {
        Map<Long, List<Long>> lists = new TreeMap<>();
        long limit = System.nanoTime() + FINAL_READ_LIMIT.toNanos();
        for (Map.Entry<Long, Home> entry : homes.entrySet()) {
            Home home = entry.getValue();
            if (home.thing == null) {
                continue;
            }
            long key = entry.getKey();
            List<Long> read = readAtLast(key, home, limit);
            if (ElementOrders.isRides(key)) {
                checkUnderWay(key, home, limit);
            }
            lists.put(key, read);
        }
        return new Final(ElementOrders.resolved(history, lists), lists, List.copyOf(violations));
    }

    private List<Long> readAtLast(long key, Home home, long limit) throws InterruptedException {
        String[] why = {""};
        for (int number = 0; ; number++) {
            String root = directRoots.get(number % directRoots.size());
            List<Long> read = read(root, key, home, FINAL_LIMIT, (cause, message) -> why[0] = message);
            if (read != null) {
                return read;
            }
            if (System.nanoTime() > limit) {
                throw new UserError("Cannot read the lists at the end: " + why[0]);
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** A vehicle that is still in use is so because of a client that gave up. */
    private void checkUnderWay(long key, Home home, long limit) throws InterruptedException {
        while (true) {
            Answer answer = sent(
                    HttpSender.get(
                            directRoots.get(0) + "/api/vehicles/" + HttpSender.encoded(home.city) + "/" + home.thing,
                            FINAL_LIMIT),
                    (cause, message) -> {});
            if (answer.isDone()) {
                if (answer.body().path("status").asString("").equals("in_use") && home.abandoned.get() == 0) {
                    violations.add("the vehicle of list " + key + " is in use, and every ride with it was ended");
                }
                return;
            }
            if (System.nanoTime() > limit) {
                throw new UserError("Cannot read the vehicles at the end: " + answer.problem());
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    /** One of the clients. */
    private final class ServiceClient implements Client {

        private final Duration answerLimit;
        private final Troubles troubles;
        private final SplittableRandom random;
        private int instance;
        private volatile long deadline = Long.MAX_VALUE;

        ServiceClient(int number, Duration answerLimit, Troubles troubles) {
            this.instance = number;
            this.answerLimit = answerLimit;
            this.troubles = troubles;
            this.random = new SplittableRandom(seed + number);
        }

        private String root() {
            return roots.get(Math.floorMod(instance, roots.size()));
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public Result run(List<MicroOp> operations) throws InterruptedException {
            MicroOp step = operations.get(0);
            Home home = homes.computeIfAbsent(step.key(), key -> new Home(cities.get((int) (key / 2 % cities.size()))));
            if (!isMade(step.key(), home)) {
                return new Result(Outcome.FAIL, operations);
            }
            if (step.kind() == Kind.READ) {
                List<Long> read = ServiceLists.this.read(root(), step.key(), home, answerLimit, troubles);
                return new Result(read == null ? Outcome.FAIL : Outcome.OK, List.of(MicroOp.read(step.key(), read)));
            }
            return ElementOrders.isRides(step.key()) ? ride(step, home) : use(step, home);
        }

        private Result ride(MicroOp step, Home home) throws InterruptedException {
            Written started = write(
                    "/api/rides",
                    Map.of(CITY, home.city, "rider_id", known(home.user), "vehicle_id", known(home.thing)),
                    keyed);
            if (started.sent() != Sent.DONE) {
                if (started.sent() == Sent.UNKNOWN) {
                    home.abandoned.incrementAndGet();
                }
                // Its end was never asked for.
                return new Result(Outcome.FAIL, List.of(step));
            }
            String id = started.body().path("id").asString();
            Written ended = write(
                    "/api/rides/" + HttpSender.encoded(home.city) + "/" + id + "/end",
                    Map.of("rider_id", known(home.user), "end_address", Long.toString(step.value())),
                    keyed);
            if (ended.sent() == Sent.UNKNOWN) {
                home.abandoned.incrementAndGet();
            } else if (keyed && ended.sent() == Sent.REFUSED) {
                violations.add(
                        "an acknowledged ride of list " + step.key() + " could not be ended: " + ended.problem());
            }
            return new Result(outcome(ended), List.of(step));
        }

        private Result use(MicroOp step, Home home) throws InterruptedException {
            Written used = write(
                    "/api/user_promo_codes",
                    Map.of(CITY, home.city, "user_id", known(home.user), "code", known(home.thing)),
                    keyed);
            return new Result(
                    outcome(used),
                    used.sent() == Sent.DONE
                            ? List.of(
                                    step,
                                    MicroOp.read(
                                            step.key(),
                                            List.of(used.body()
                                                    .path("usage_count")
                                                    .asLong())))
                            : List.of(step));
        }

        private static Outcome outcome(Written written) {
            return switch (written.sent()) {
                case DONE -> Outcome.OK;
                case REFUSED -> Outcome.FAIL;
                case UNKNOWN -> Outcome.INFO;
            };
        }

        /** Whether the rows of a list are there; the first client makes them. */
        private boolean isMade(long key, Home home) throws InterruptedException {
            synchronized (home) {
                if (home.thing != null) {
                    return true;
                }
                if (home.user == null && !makeUser(home)) {
                    return false;
                }
                if (ElementOrders.isRides(key)) {
                    Written made = write(
                            "/api/vehicles",
                            Map.of(
                                    CITY,
                                    home.city,
                                    "owner_id",
                                    known(home.user),
                                    "type",
                                    "scooter",
                                    "current_location",
                                    FIRST_ADDRESS),
                            true);
                    home.thing =
                            made.sent() == Sent.DONE ? made.body().path("id").asString() : null;
                } else {
                    String code = prefix + "-" + key;
                    Written made = write(
                            "/api/promo_codes",
                            Map.of(
                                    "code",
                                    code,
                                    "description",
                                    "movr check",
                                    "rules",
                                    Map.of("type", "percent_discount", "value", 10, "max_uses", shape.elements())),
                            true);
                    home.thing = made.sent() == Sent.DONE ? code : null;
                }
                return home.thing != null;
            }
        }

        private boolean makeUser(Home home) throws InterruptedException {
            Written made = write(
                    "/api/users",
                    Map.of(CITY, home.city, "name", "Check", "address", prefix, "credit_card", "4111111111111111"),
                    true);
            home.user = made.sent() == Sent.DONE ? made.body().path("id").asString() : null;
            return home.user != null;
        }

        /** Sends a write until it is answered, or until the run has ended and nobody answers. */
        private Written write(String path, Map<String, Object> body, boolean withKey) throws InterruptedException {
            String key = UUID.randomUUID().toString();
            boolean repeated = random.nextInt(WRITES_PER_REPETITION) != 0;
            boolean perhapsDone = false;
            JsonNode acknowledged = null;
            while (true) {
                HttpRequest request = HttpSender.write(
                        "POST", root() + path, JSON.writeValueAsString(body), withKey ? key : null, answerLimit);
                Answer answer = sent(request, troubles);
                if (acknowledged != null && (answer.isDone() || answer.status() / 100 == 4)) {
                    if (!answer.body().equals(acknowledged)) {
                        violations.add(
                                "a write that was acknowledged, sent again with its key, was answered otherwise: POST "
                                        + path.replaceAll(ID, "…"));
                    }
                    return new Written(Sent.DONE, acknowledged, "");
                }
                if (answer.isDone()) {
                    if (repeated) {
                        return new Written(Sent.DONE, answer.body(), "");
                    }
                    repeated = true;
                    acknowledged = withKey ? answer.body() : null;
                } else if (answer.status() / 100 == 4) {
                    // With a key the service may yet write what it was sent first. A client without keys does not think
                    // of that.
                    return new Written(
                            perhapsDone && withKey ? Sent.UNKNOWN : Sent.REFUSED, answer.body(), answer.problem());
                }
                perhapsDone |= answer.isDone()
                        || answer.status() == HttpSender.Answer.NO_ANSWER
                        || (answer.status() > 0 && !NOTHING_WRITTEN.contains(answer.problem()));
                if (System.nanoTime() - deadline > 0) {
                    if (acknowledged != null) {
                        return new Written(Sent.DONE, acknowledged, "");
                    }
                    return new Written(
                            perhapsDone ? Sent.UNKNOWN : Sent.REFUSED, MissingNode.getInstance(), answer.problem());
                }
                // Whoever has got no answer asks another instance.
                instance++;
                if (!answer.isDone()) {
                    TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
                }
            }
        }

        @Override
        public void end() {
            deadline = System.nanoTime() + FINISH_LIMIT.toNanos();
        }

        @Override
        public void close() {}
    }

    private static String known(@Nullable String id) {
        if (id == null) {
            throw new IllegalStateException("The list has not been made");
        }
        return id;
    }
}

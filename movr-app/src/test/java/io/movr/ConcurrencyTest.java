package io.movr;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService.Reply;
import io.movr.database.Gateway;
import io.movr.schema.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many at once, where a lost update would show: under every isolation level, and on a schema without foreign keys. */
class ConcurrencyTest {

    private static final Map<String, RunningService> STARTED = new HashMap<>();

    private RunningService service;

    /** One for all tests of this isolation level and stage; each has users and vehicles of its own. */
    private void start(String isolation, Stage stage) {
        service = STARTED.computeIfAbsent(
                isolation + " " + stage,
                key -> RunningService.start(database(stage), Map.of("movr.database.isolation", isolation)));
    }

    Gateway database(Stage stage) {
        return RunningService.database(stage);
    }

    /** Where the stage of the schema makes no difference. */
    Stage stage() {
        return RunningService.STAGE;
    }

    static RunningService started(String isolation, Stage stage) {
        return STARTED.get(isolation + " " + stage);
    }

    @AfterEach
    void everyRuleHoldsAfterwards() throws Exception {
        assertThat(service.violations()).isEqualTo(List.of());
    }

    @AfterAll
    static void stop() {
        STARTED.values().forEach(RunningService::close);
        STARTED.clear();
    }

    @ParameterizedTest
    @CsvSource({"serializable,", "repeatable_read,", "read_committed,", "serializable, baseline"})
    void ofAHundredWhoStartWithOneVehicleOneDoes(String isolation, @Nullable String stage) throws Exception {
        start(isolation, stage == null ? stage() : Stage.named(stage));
        String owner = service.newUser("boston");
        String vehicle = service.newVehicle("boston", owner);
        List<String> riders = IntStream.range(0, 100)
                .mapToObj(number -> service.newUser("boston"))
                .toList();
        List<Reply> replies =
                RunningService.atOnce(100, number -> service.start("boston", riders.get(number), vehicle));
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 201)
                .allSatisfy(reply ->
                        assertThat(reply.problem()).isIn("vehicle-not-available", "contention", "gateway-unavailable"));
        assertThat(service.ask("SELECT count(*) FROM rides WHERE vehicle_id = '" + vehicle + "'"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serializable", "repeatable_read", "read_committed"})
    void promoCodesAreUsedAsOftenAsTheyAllowAndEveryUseIsCounted(String isolation) throws Exception {
        start(isolation, stage());
        String user = service.newUser("boston");
        String code = service.newPromoCode(10, 10);
        // Whoever is told to come again does.
        List<Reply> replies = RunningService.atOnce(40, number -> {
            Reply reply = service.apply("boston", user, code);
            for (int again = 0; reply.status() == 503 && again < 50; again++) {
                reply = service.apply("boston", user, code);
            }
            return reply;
        });
        assertThat(replies).filteredOn(reply -> reply.status() == 200).hasSize(10);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 200)
                .allSatisfy(reply -> assertThat(reply.problem()).isEqualTo("promo-code-used-up"));
        assertThat(replies)
                .filteredOn(reply -> reply.status() == 200)
                .extracting(reply -> reply.body().path("usage_count").asInt())
                .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(service.ask("SELECT usage_count FROM user_promo_codes WHERE code = '" + code + "'"))
                .isEqualTo("10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serializable", "repeatable_read", "read_committed"})
    void aRequestThatComesFiftyTimesAtOnceIsDoneOnce(String isolation) throws Exception {
        start(isolation, stage());
        String rider = service.newUser("boston");
        String vehicle = service.newVehicle("boston", rider);
        String key = UUID.randomUUID().toString();
        List<Reply> replies = RunningService.atOnce(50, number -> {
            Reply reply = service.start("boston", rider, vehicle, "Idempotency-Key", key);
            for (int again = 0; reply.status() == 503 && again < 50; again++) {
                reply = service.start("boston", rider, vehicle, "Idempotency-Key", key);
            }
            return reply;
        });
        assertThat(replies)
                .allSatisfy(reply ->
                        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(201));
        assertThat(replies).extracting(Reply::body).containsOnly(replies.get(0).body());
        assertThat(replies)
                .filteredOn(reply -> reply.header("Idempotency-Replayed").isEmpty())
                .hasSize(1);
        assertThat(service.ask("SELECT count(*) FROM rides WHERE vehicle_id = '" + vehicle + "'"))
                .isEqualTo("1");
        assertThat(service.ask("SELECT count(*) FROM idempotency_keys WHERE key = '" + key + "'"))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serializable", "repeatable_read", "read_committed"})
    void aUseOfACodeCountsForOneRideEvenWhenTwoEndAtOnce(String isolation) throws Exception {
        start(isolation, stage());
        String rider = service.newUser("boston");
        for (int round = 0; round < 10; round++) {
            List<String> rides = new ArrayList<>();
            for (int number = 0; number < 2; number++) {
                rides.add(service.start("boston", rider, service.newVehicle("boston", rider))
                        .text("id"));
            }
            service.apply("boston", rider, service.newPromoCode(100, 1));
            List<Reply> ends = RunningService.atOnce(2, number -> service.end("boston", rides.get(number), rider));
            assertThat(ends)
                    .extracting(end -> end.body().path("revenue").decimalValue().doubleValue())
                    .containsExactlyInAnyOrder(0.0, 1.29);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"serializable", "repeatable_read", "read_committed"})
    void nothingIsLostInACrowd(String isolation) throws Exception {
        start(isolation, stage());
        List<String> riders = IntStream.range(0, 8)
                .mapToObj(number -> service.newUser("boston"))
                .toList();
        List<String> vehicles = IntStream.range(0, 5)
                .mapToObj(number -> service.newVehicle("boston", riders.get(0)))
                .toList();
        Map<String, String> started = new ConcurrentHashMap<>();
        List<String> ended = Collections.synchronizedList(new ArrayList<>());
        RunningService.atOnce(16, number -> {
            Random random = new Random(number);
            Reply last = null;
            for (int step = 0; step < 40; step++) {
                String rider = riders.get(random.nextInt(riders.size()));
                String vehicle = vehicles.get(random.nextInt(vehicles.size()));
                int what = random.nextInt(10);
                if (what < 4) {
                    last = service.start("boston", rider, vehicle);
                    if (last.status() == 201) {
                        started.put(last.text("id"), rider);
                    }
                } else if (what < 8) {
                    String ride = started.keySet().stream().findAny().orElse(null);
                    if (ride == null) {
                        continue;
                    }
                    last = service.end("boston", ride, started.get(ride) == null ? rider : started.get(ride));
                    if (last.status() == 200) {
                        ended.add(ride);
                        started.remove(ride);
                    }
                } else {
                    last = service.patch(
                            "/api/vehicles/boston/" + vehicle,
                            Map.of("status", what == 8 ? "lost" : "available", "current_location", "here"));
                }
                assertThat(last.status()).as(last.body().toString()).isIn(200, 201, 403, 409, 503);
            }
            return last;
        });
        assertThat(ended).doesNotHaveDuplicates().isNotEmpty();
        assertThat(service.ask("SELECT count(*) FROM rides WHERE end_time IS NULL AND vehicle_id IN ('"
                        + String.join("', '", vehicles) + "')"))
                .isEqualTo(Integer.toString(started.size()));
    }
}

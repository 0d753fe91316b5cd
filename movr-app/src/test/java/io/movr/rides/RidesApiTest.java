package io.movr.rides;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RidesApiTest {

    private final RunningService service = RunningService.shared();
    private String rider;
    private String vehicle;

    @BeforeEach
    void somebodyAndSomething() {
        rider = service.newUser("boston");
        vehicle = service.newVehicle("boston", rider);
    }

    @Test
    void aRideTakesTheVehicleAndGivesItBackWhereItEnds() {
        Reply started = service.start("boston", rider, vehicle);
        assertThat(started.status()).isEqualTo(201);
        assertThat(started.text("start_address")).isEqualTo("1 Main Street");
        assertThat(started.body().path("end_time").isMissingNode()).isTrue();
        assertThat(service.get("/api/vehicles/boston/" + vehicle).text("status"))
                .isEqualTo("in_use");

        String path = "/api/rides/boston/" + started.text("id");
        for (double latitude : new double[] {42.1, 42.2, 42.3}) {
            Reply recorded =
                    service.post(path + "/vehicle_location_histories", Map.of("lat", latitude, "long", -71.05));
            assertThat(recorded.status()).isEqualTo(201);
        }
        Reply ended = service.end("boston", started.text("id"), rider);
        assertThat(ended.status()).isEqualTo(200);
        assertThat(ended.body().path("revenue").decimalValue()).isEqualByComparingTo("1.29");
        assertThat(service.get("/api/vehicles/boston/" + vehicle).text("status"))
                .isEqualTo("available");

        Reply shown = service.get(path);
        assertThat(shown.text("end_address")).isEqualTo("2 Market Street");
        List<Double> track = new ArrayList<>();
        shown.body()
                .path("vehicle_location_histories")
                .forEach(location -> track.add(location.path("lat").asDouble()));
        assertThat(track).containsExactly(42.1, 42.2, 42.3);
    }

    @Test
    void endingARideTwiceIsRejected() {
        String ride = service.start("boston", rider, vehicle).text("id");
        assertThat(service.end("boston", ride, rider).status()).isEqualTo(200);
        Reply again = service.end("boston", ride, rider);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.problem()).isEqualTo("ride-ended");
        Reply late =
                service.post("/api/rides/boston/" + ride + "/vehicle_location_histories", Map.of("lat", 1, "long", 2));
        assertThat(late.problem()).isEqualTo("ride-ended");
    }

    @Test
    void endingSomeoneElsesRideIsRejected() {
        String ride = service.start("boston", rider, vehicle).text("id");
        Reply refused = service.end("boston", ride, RunningService.RIDER);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.problem()).isEqualTo("not-your-ride");
        assertThat(service.end("boston", ride, rider).status()).isEqualTo(200);
    }

    @Test
    void riderAndVehicleAreOfTheCity() {
        String roman = service.newUser("rome");
        assertThat(service.start("boston", roman, vehicle).problem()).isEqualTo("unknown-user");
        Reply elsewhere = service.start("rome", roman, vehicle);
        assertThat(elsewhere.status()).isEqualTo(422);
        assertThat(elsewhere.problem()).isEqualTo("unknown-vehicle");
        assertThat(service.get("/api/vehicles/boston/" + vehicle).text("status"))
                .isEqualTo("available");
    }

    @Test
    void aPromoCodeCountsForTheNextRideThatEndsAndTheBestOneWins() {
        assertThat(service.apply("boston", rider, service.newPromoCode(10, 5)).status())
                .isEqualTo(200);
        assertThat(service.apply("boston", rider, service.newPromoCode(50, 5)).status())
                .isEqualTo(200);
        assertThat(price(rider)).isEqualByComparingTo("0.65");
        assertThat(price(rider)).isEqualByComparingTo("1.29");
        String whole = service.newPromoCode(100, 2);
        service.apply("boston", rider, whole);
        assertThat(price(rider)).isEqualByComparingTo("0.00");
        service.apply("boston", rider, whole);
        assertThat(price(rider)).isEqualByComparingTo("0.00");
        assertThat(price(rider)).isEqualByComparingTo("1.29");
    }

    private java.math.BigDecimal price(String who) {
        String ride = service.start("boston", who, vehicle).text("id");
        return service.end("boston", ride, who).body().path("revenue").decimalValue();
    }

    @Test
    void aRidersRidesAreListedLatestFirstAndEachOnce() {
        List<String> made = new ArrayList<>();
        for (int number = 0; number < 7; number++) {
            String ride = service.start("boston", rider, vehicle).text("id");
            service.end("boston", ride, rider);
            made.add(0, ride);
        }
        List<String> listed = new ArrayList<>();
        String next = "";
        do {
            Reply page = service.get(
                    "/api/rides?city=boston&rider_id=" + rider + "&limit=3" + (next.isEmpty() ? "" : "&after=" + next));
            for (JsonNode ride : page.body().path("items")) {
                listed.add(ride.path("id").asString());
            }
            next = page.text("next");
        } while (!next.isEmpty() && listed.size() < 20);
        assertThat(listed).isEqualTo(made);
        assertThat(new HashSet<>(listed)).hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "_",
                "2018-07-01T00:00:00Z_x",
                "2018-07-01T00:00:00Z",
                "%2B1000000000-01-01T00:00:00Z_" + "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a"
            })
    void aCursorOfAnotherListIsAProblem(String after) {
        Reply refused = service.get("/api/rides?city=boston&rider_id=" + rider + "&after=" + after);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"lat\": 91, \"long\": 0}", "{\"lat\": 0, \"long\": -181}", "{\"lat\": 0}"})
    void aPlaceThatIsNotOnEarthIsRefused(String position) {
        String ride = service.start("boston", rider, vehicle).text("id");
        Reply refused = service.send("POST", "/api/rides/boston/" + ride + "/vehicle_location_histories", position);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-request");
    }

    @Test
    void anUnknownRideIsAProblem() {
        String nobody = "00000000-0000-0000-0000-000000000000";
        assertThat(service.get("/api/rides/boston/" + nobody).problem()).isEqualTo("unknown-ride");
        assertThat(service.end("boston", nobody, rider).problem()).isEqualTo("unknown-ride");
    }
}

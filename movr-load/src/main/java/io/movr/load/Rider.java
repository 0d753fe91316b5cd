package io.movr.load;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rider who has arrived: the requests, and the state from the answers. One thread uses a rider at a time.
 *
 * <p>Where a column can hold it, a write carries its idempotency key, by which {@link LedgerCheck} finds every row that
 * the write made.
 */
final class Rider {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> TYPES = List.of("bike", "scooter", "skateboard");
    private static final String CARD = "4111111111111111";

    private final Arrival arrival;
    private final City city;
    private final Cities cities;
    private final Keys keys;
    private final SplittableRandom random;
    private List<String> seen = new ArrayList<>();
    private @Nullable String user;
    private @Nullable ActiveRide ride;
    private @Nullable String vehicle;

    Rider(Arrival arrival, Cities cities, Keys keys) {
        this.arrival = arrival;
        this.city = cities.named(arrival.city());
        this.cities = cities;
        this.keys = keys;
        this.random = new SplittableRandom(arrival.seed());
    }

    Arrival arrival() {
        return arrival;
    }

    SplittableRandom random() {
        return random;
    }

    boolean isRiding() {
        return ride != null;
    }

    /** Finds a ride of the city to end; the rider then acts as its rider. */
    boolean findRideToEnd() {
        ride = city.takeRide(random).orElse(null);
        return ride != null;
    }

    /** Finds an active ride of the city whose location to report. */
    boolean findRideToFollow() {
        ride = city.anyRide(random).orElse(null);
        return ride != null;
    }

    int ridesInCity() {
        return city.rideCount();
    }

    /** Returns the next request of this rider. */
    Call ask(Operation operation, long dueNanos) {
        return switch (operation) {
            case LIST_VEHICLES ->
                new Call(
                        operation,
                        city,
                        "",
                        "/api/vehicles?status=available&city=" + encoded(city.name()),
                        "",
                        "",
                        dueNanos);
            case ADD_USER -> addUser(dueNanos);
            case ADD_VEHICLE -> addVehicle(dueNanos);
            case START_RIDE -> startRide(dueNanos);
            case UPDATE_LOCATION -> updateLocation(dueNanos);
            case END_RIDE -> endRide(dueNanos);
            case CREATE_PROMO_CODE -> createPromoCode(dueNanos);
            case APPLY_PROMO_CODE -> applyPromoCode(dueNanos);
        };
    }

    private Call addUser(long dueNanos) {
        String key = keys.next();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("city", city.name());
        body.put("name", "Rider " + key);
        body.put("address", key);
        body.put("credit_card", CARD);
        return write(Operation.ADD_USER, key, "/api/users", body, "", dueNanos);
    }

    private Call addVehicle(long dueNanos) {
        String key = keys.next();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("city", city.name());
        body.put("owner_id", city.anyUser(random));
        body.put("type", TYPES.get(random.nextInt(TYPES.size())));
        body.put("current_location", street());
        body.put("ext", Map.of("brand", key));
        return write(Operation.ADD_VEHICLE, key, "/api/vehicles", body, "", dueNanos);
    }

    private Call startRide(long dueNanos) {
        String rider = user == null ? city.anyUser(random) : user;
        String chosen = seen.isEmpty() ? city.takeVehicle(random) : seen.remove(random.nextInt(seen.size()));
        city.takeVehicle(chosen);
        vehicle = chosen;
        user = rider;
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("city", city.name());
        body.put("rider_id", rider);
        body.put("vehicle_id", chosen);
        return write(Operation.START_RIDE, keys.next(), "/api/rides", body, rider + "@" + chosen, dueNanos);
    }

    private Call updateLocation(long dueNanos) {
        ActiveRide followed = riding();
        // Six decimals are 0.1 m, and hardly ever repeat on one ride.
        double latitude = Math.round(random.nextDouble(-60, 60) * 1e6) / 1e6;
        double longitude = Math.round(random.nextDouble(-180, 180) * 1e6) / 1e6;
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("lat", latitude);
        body.put("long", longitude);
        return write(
                Operation.UPDATE_LOCATION,
                keys.next(),
                ridePath(followed) + "/vehicle_location_histories",
                body,
                followed.id() + "@" + latitude + ":" + longitude,
                dueNanos);
    }

    private Call endRide(long dueNanos) {
        ActiveRide ended = riding();
        // From here on no other rider follows it; one that already does may be refused.
        city.takeRide(ended);
        String key = keys.next();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("rider_id", ended.rider());
        body.put("end_address", key);
        return write(Operation.END_RIDE, key, ridePath(ended) + "/end", body, ended.id(), dueNanos);
    }

    private Call createPromoCode(long dueNanos) {
        String key = keys.next();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("code", key);
        body.put("description", "Of a run of traffic");
        body.put("rules", Map.of("type", "percent_discount", "value", 10));
        return write(Operation.CREATE_PROMO_CODE, key, "/api/promo_codes", body, key, dueNanos);
    }

    private Call applyPromoCode(long dueNanos) {
        String who = city.anyUser(random);
        String code = cities.anyPromoCode(random);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("city", city.name());
        body.put("user_id", who);
        body.put("code", code);
        return write(
                Operation.APPLY_PROMO_CODE, keys.next(), "/api/user_promo_codes", body, who + "@" + code, dueNanos);
    }

    private Call write(
            Operation operation, String key, String path, Map<String, Object> body, String subject, long dueNanos) {
        return new Call(operation, city, key, path, JSON.writeValueAsString(body), subject, dueNanos);
    }

    /**
     * Updates the state from the answer to a completed request.
     *
     * @return the name of the row in the ledger; empty if the answer does not match the request
     */
    Optional<String> learn(Call call, Answer answer) {
        return switch (call.operation()) {
            case LIST_VEHICLES -> see(answer);
            case ADD_USER ->
                answer.text("id").map(id -> {
                    city.knowUser(id);
                    user = id;
                    return id;
                });
            case ADD_VEHICLE ->
                answer.text("id").map(id -> {
                    city.knowVehicle(id, true);
                    return id;
                });
            case START_RIDE ->
                answer.text("id").map(id -> {
                    ride = new ActiveRide(id, String.valueOf(user), String.valueOf(vehicle));
                    city.began(ride);
                    return id;
                });
            case END_RIDE -> {
                city.giveBack(riding().vehicle());
                ride = null;
                yield answer.text("end_time").map(ended -> call.subject());
            }
            case CREATE_PROMO_CODE ->
                answer.text("code").map(code -> {
                    cities.knowPromoCode(code);
                    return call.subject();
                });
            case UPDATE_LOCATION -> answer.text("timestamp").map(recorded -> call.subject());
            case APPLY_PROMO_CODE -> answer.text("usage_count").map(counted -> call.subject());
        };
    }

    private Optional<String> see(Answer answer) {
        JsonNode items = answer.body() == null ? null : answer.body().path("items");
        if (items == null || !items.isArray()) {
            return Optional.empty();
        }
        List<String> listed = new ArrayList<>();
        for (JsonNode item : items) {
            if (!item.path("city").asString("").equals(city.name())
                    || !item.path("status").asString("").equals("available")) {
                return Optional.empty();
            }
            listed.add(item.path("id").asString(""));
        }
        seen = listed;
        return Optional.of("");
    }

    private ActiveRide riding() {
        if (ride == null) {
            throw new IllegalStateException("This rider is on no ride");
        }
        return ride;
    }

    private String street() {
        return random.nextInt(1, 1_000) + " Main Street";
    }

    private String ridePath(ActiveRide followed) {
        return "/api/rides/" + encoded(city.name()) + "/" + followed.id();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

package io.movr.load;

import io.movr.UserError;
import io.movr.region.Region;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Finds users and vehicles of every city, and creates promo codes, before the traffic begins. */
final class Discovery {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int PAGE = 200;
    private static final int PROMO_CODES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String LOST = " for " + PATIENCE.toSeconds() + " s: see the log of the service";

    private final Settings settings;
    private final Cities cities;
    private final Keys keys;
    private final Run run;
    private final HttpClient client;

    Discovery(Settings settings, Cities cities, Keys keys, Run run) {
        this.settings = settings;
        this.cities = cities;
        this.keys = keys;
        this.run = run;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build();
    }

    /** @throws UserError when an instance does not answer, or a city has no user or no vehicle to begin with */
    void look() {
        Map<Region, List<String>> cities = settings.regions().cities();
        // With a long round trip, a city takes seconds.
        ExecutorService regions = Executors.newFixedThreadPool(cities.size());
        try {
            List<Future<?>> looking = new ArrayList<>();
            cities.forEach((region, names) ->
                    looking.add(regions.submit(() -> names.forEach(name -> look(region, name)))));
            for (Future<?> region : looking) {
                region.get();
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof UserError refusal
                    ? refusal
                    : new IllegalStateException("Reading the cities failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        } finally {
            regions.shutdownNow();
        }
        for (int number = 0; number < PROMO_CODES; number++) {
            createPromoCode();
        }
    }

    private void look(Region region, String name) {
        City city = cities.named(name);
        page(region, "/api/users?city=" + encoded(name), user -> city.knowUser(id(user)), city::userCount);
        page(
                region,
                "/api/vehicles?city=" + encoded(name),
                vehicle -> city.knowVehicle(
                        id(vehicle), vehicle.path("status").asString("").equals("available")),
                city::vehicleCount);
        if (city.userCount() == 0 || city.vehicleCount() == 0) {
            throw new UserError(name + " has " + city.userCount() + " users and " + city.vehicleCount()
                    + " vehicles: load data first, so that rides can be started");
        }
    }

    private void page(Region region, String path, Consumer<JsonNode> learn, IntSupplier known) {
        Optional<String> after = Optional.of("");
        while (after.isPresent() && known.getAsInt() < settings.known()) {
            String next = after.get().isEmpty() ? "" : "&after=" + after.get();
            Answer answer = send(region, request(region, path + "&limit=" + PAGE + next));
            JsonNode items = answer.body() == null ? null : answer.body().path("items");
            if (answer.status() != 200 || items == null) {
                throw new UserError("GET " + settings.instances().get(region) + path + " was answered with "
                        + answer.status()
                        + (answer.isLost() ? LOST : ": is that MovR, with data loaded?"));
            }
            items.forEach(learn);
            after = answer.text("next");
        }
    }

    private static String id(JsonNode item) {
        return item.path("id").asString("");
    }

    private void createPromoCode() {
        Region region = settings.regions().primary();
        String city = settings.regions().citiesOf(region).get(0);
        String key = keys.next();
        LedgerEntry entry = new LedgerEntry(Operation.CREATE_PROMO_CODE.label(), city, key, key, false);
        run.sending(entry);
        Map<String, Object> body = Map.of(
                "code",
                key,
                "description",
                "Of a run of traffic",
                "rules",
                Map.of("type", "percent_discount", "value", 10));
        Answer answer = send(
                region,
                request(region, "/api/promo_codes")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
        if (answer.status() != 201) {
            throw new UserError("POST " + settings.instances().get(region) + "/api/promo_codes was answered with "
                    + answer.status() + (answer.isLost() ? LOST : ": see the log of the service"));
        }
        run.acknowledged(new LedgerEntry(entry.kind(), city, key, key, true), false);
        cities.knowPromoCode(key);
    }

    private HttpRequest.Builder request(Region region, String path) {
        return HttpRequest.newBuilder(URI.create(settings.instances().get(region) + path))
                .timeout(settings.timeout());
    }

    /**
     * Retries while the instance is running and cannot serve. The traffic itself tolerates a stall of seconds, so the
     * preparation must as well.
     */
    private Answer send(Region region, HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (true) {
                Duration pause = settings.retryPause();
                Answer answer;
                try {
                    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                    answer = Answer.of(response.statusCode(), response.body(), false);
                    pause = response.headers()
                            .firstValue("Retry-After")
                            .filter(seconds -> seconds.matches("[1-9]\\d{0,3}"))
                            .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
                            .orElse(pause);
                } catch (ConnectException refused) {
                    throw refused;
                } catch (IOException cutOff) {
                    if (System.nanoTime() + pause.toNanos() > end) {
                        throw cutOff;
                    }
                    answer = Answer.of(null, null, false);
                }
                if (!answer.isLost() || System.nanoTime() + pause.toNanos() > end) {
                    return answer;
                }
                TimeUnit.MILLISECONDS.sleep(pause.toMillis());
            }
        } catch (IOException failed) {
            throw new UserError(
                    "The app instance of " + region + " does not answer at "
                            + settings.instances().get(region) + " (" + UserError.firstLine(failed)
                            + "): start it, or give url." + region,
                    failed);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static UserError interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new UserError("Interrupted while reading the cities", interrupted);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

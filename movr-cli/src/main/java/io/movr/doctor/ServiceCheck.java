package io.movr.doctor;

import io.movr.MovrApplication;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A check of the service: each kind of write and read, in a city of each region. */
final class ServiceCheck {

    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([0-9a-f-]{36})\"");

    private final RegionMap regions;
    private final Gateway database;

    ServiceCheck(RegionMap regions, Gateway database) {
        this.regions = regions;
        this.database = database;
    }

    /**
     * Starts the service, sends the requests, and stops it.
     *
     * @return the result in one line
     * @throws IllegalStateException if a request is refused
     */
    String run() throws IOException, InterruptedException {
        SpringApplication application = MovrApplication.application();
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext service = application.run(settings())) {
            Client client =
                    new Client("http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port"));
            String code = "CHECK-" + UUID.randomUUID();
            client.post(
                    "promo_codes",
                    "{\"code\": \"" + code + "\", \"description\": \"for the check\","
                            + " \"rules\": {\"type\": \"percent_discount\", \"value\": 10}}");
            for (Region region : regions.cities().keySet()) {
                ride(client, regions.citiesOf(region).get(0), code);
            }
            return client.answered + " requests succeeded";
        }
    }

    private String[] settings() {
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--movr.database.url=" + database.url(),
                "--logging.config=classpath:io/movr/logging.xml"));
        regions.cities().forEach((region, cities) -> {
            for (int city = 0; city < cities.size(); city++) {
                settings.add("--movr.region.cities." + region + "[" + city + "]=" + cities.get(city));
            }
        });
        return settings.toArray(String[]::new);
    }

    /** Registers a user and a vehicle, and takes a ride with a promo code. */
    private static void ride(Client client, String city, String code) throws IOException, InterruptedException {
        String user = client.create(
                "users",
                json(
                        "city",
                        city,
                        "name",
                        "Ada Brown",
                        "address",
                        "12 High Street",
                        "credit_card",
                        "4111111111111111"));
        String vehicle = client.create(
                "vehicles", json("city", city, "owner_id", user, "type", "bike", "current_location", "1 Main Street"));
        String ride = client.create("rides", json("city", city, "rider_id", user, "vehicle_id", vehicle));
        String path = "rides/" + encoded(city) + "/" + ride;
        client.post(path + "/vehicle_location_histories", "{\"lat\": 40.7, \"long\": -74.0}");
        client.post("user_promo_codes", json("city", city, "user_id", user, "code", code));
        client.post(path + "/end", json("rider_id", user, "end_address", "2 Main Street"));
        client.get("vehicles?city=" + encoded(city) + "&status=available");
        client.get("users/" + encoded(city) + "/" + user);
        client.get(path);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String json(String... fields) {
        StringBuilder text = new StringBuilder("{");
        for (int index = 0; index < fields.length; index += 2) {
            text.append(index == 0 ? "" : ", ")
                    .append('"')
                    .append(fields[index])
                    .append("\": \"")
                    .append(fields[index + 1])
                    .append('"');
        }
        return text.append('}').toString();
    }

    /** A client whose requests must succeed. */
    private static final class Client {

        private static final Duration LIMIT = Duration.ofSeconds(30);

        private final String root;
        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private int answered;

        Client(String root) {
            this.root = root + "/api/";
        }

        /** Creates a row, and returns its id. */
        String create(String path, String body) throws IOException, InterruptedException {
            Matcher id = ID.matcher(post(path, body));
            FullCheck.require(id.find(), "POST /api/" + path + " returned no id");
            return id.group(1);
        }

        String post(String path, String body) throws IOException, InterruptedException {
            return send(HttpRequest.newBuilder(URI.create(root + path))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
        }

        void get(String path) throws IOException, InterruptedException {
            send(HttpRequest.newBuilder(URI.create(root + path)));
        }

        private String send(HttpRequest.Builder builder) throws IOException, InterruptedException {
            HttpRequest request = builder.timeout(LIMIT).build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            FullCheck.require(
                    answer.statusCode() / 100 == 2,
                    request.method() + " " + request.uri().getPath() + " was answered " + answer.statusCode() + " "
                            + answer.body());
            answered++;
            return answer.body();
        }
    }
}

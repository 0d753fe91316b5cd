package io.movr.benchmarks;

import io.movr.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests to a running service, over connections that are kept. */
final class ServiceRequests {

    private static final Pattern VEHICLE =
            Pattern.compile("\"id\":\"([0-9a-f-]{36})\",\"type\":\"[a-z]+\",\"owner_id\":\"([0-9a-f-]{36})\"");
    private static final int VEHICLES = 200;
    private static final int CREATED = 201;
    private static final int OK = 200;

    private final String root;

    /** @param root where the service listens, such as {@code http://127.0.0.1:8080} */
    ServiceRequests(String root) {
        this.root = root;
    }

    /** A vehicle of a city, and its owner, who can ride it. */
    record Vehicle(String city, String id, String owner) {}

    /**
     * Keeps as many connections as there are senders; Java keeps five unless told otherwise. It would also send a POST
     * again by itself whose connection was lost.
     */
    static void keepConnections(int senders) {
        System.setProperty("http.maxConnections", Integer.toString(senders));
        System.setProperty("sun.net.http.retryPost", "false");
    }

    /** Up to 200 vehicles of a city that are available. */
    List<Vehicle> vehicles(String city) throws IOException {
        HttpURLConnection connection =
                connection("GET", "/api/vehicles?status=available&limit=" + VEHICLES + "&city=" + encoded(city), null);
        String page;
        try (InputStream answer = connection.getInputStream()) {
            page = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Vehicle> vehicles = new ArrayList<>();
        Matcher matcher = VEHICLE.matcher(page);
        while (matcher.find()) {
            vehicles.add(new Vehicle(city, matcher.group(1), matcher.group(2)));
        }
        if (vehicles.size() < 2) {
            throw new UserError("Too few vehicles are available in " + city + ": measure with more --vehicles");
        }
        return vehicles;
    }

    /** Asks for the available vehicles of a city. */
    void frontPage(String city) throws IOException {
        call("GET", "/api/vehicles?status=available&city=" + encoded(city), null, OK);
    }

    /** Starts a ride and ends it. */
    void ride(Vehicle vehicle) throws IOException {
        String ride = call(
                "POST",
                "/api/rides",
                "{\"city\": \"" + vehicle.city() + "\", \"rider_id\": \"" + vehicle.owner() + "\", \"vehicle_id\": \""
                        + vehicle.id() + "\"}",
                CREATED);
        call(
                "POST",
                ride + "/end",
                "{\"rider_id\": \"" + vehicle.owner() + "\", \"end_address\": \"1 Main Street\"}",
                OK);
    }

    private static String encoded(String city) {
        return URLEncoder.encode(city, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Sends one request, reads the whole answer, and returns where it leads to. */
    private String call(String method, String path, @Nullable String body, int status) throws IOException {
        HttpURLConnection connection = connection(method, path, body);
        try (InputStream answer = connection.getInputStream()) {
            answer.transferTo(OutputStream.nullOutputStream());
        }
        if (connection.getResponseCode() != status) {
            throw new IOException("Answered " + connection.getResponseCode());
        }
        return String.valueOf(connection.getHeaderField("Location"));
    }

    private HttpURLConnection connection(String method, String path, @Nullable String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(root + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setReadTimeout((int) TimeUnit.MINUTES.toMillis(1));
        if (body != null) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            // Sent with its head in one write, as wrk and curl do. A streaming mode would send them apart, and the
            // service would wait for the body.
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        return connection;
    }
}

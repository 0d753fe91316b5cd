package io.movr.traffic;

import io.movr.sender.HttpSender;
import io.movr.sender.HttpSender.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The requests of traffic to an instance of the service: a city's available vehicles, and rides. */
public final class ServiceRequests {

    private static final Pattern VEHICLE =
            Pattern.compile("\"id\":\"([0-9a-f-]{36})\",\"type\":\"[a-z]+\",\"owner_id\":\"([0-9a-f-]{36})\"");

    private final HttpSender sender;
    private final String url;
    private final Duration limit;

    /**
     * Prepares requests to one instance.
     *
     * @param url the URL of the instance, such as {@code http://127.0.0.1:8080}
     * @param limit the time limit of each request
     */
    public ServiceRequests(HttpSender sender, String url, Duration limit) {
        this.sender = sender;
        this.url = url;
        this.limit = limit;
    }

    /** A vehicle of a city and its owner, who also serves as its rider. */
    public record Vehicle(String city, String id, String owner) {}

    /** Requests the first page of a city's available vehicles, as the front page does. */
    public CompletableFuture<Answer> frontPage(String city) {
        return sender.send(
                HttpSender.get(url + "/api/vehicles?status=available&city=" + HttpSender.encoded(city), limit));
    }

    /** Requests as many available vehicles of a city as a page holds. */
    public CompletableFuture<Answer> manyVehicles(String city) {
        return sender.send(HttpSender.get(
                url + "/api/vehicles?status=available&limit=200&city=" + HttpSender.encoded(city), limit));
    }

    /** Returns the vehicles of an answer about a city. */
    public static List<Vehicle> vehicles(String city, Answer answer) {
        List<Vehicle> vehicles = new ArrayList<>();
        Matcher matcher = VEHICLE.matcher(answer.body());
        while (matcher.find()) {
            vehicles.add(new Vehicle(city, matcher.group(1), matcher.group(2)));
        }
        return vehicles;
    }

    /** Starts a ride; the answer's {@code Location} is its path. */
    public CompletableFuture<Answer> startRide(Vehicle vehicle) {
        return post(
                "/api/rides",
                "{\"city\": \"" + vehicle.city() + "\", \"rider_id\": \"" + vehicle.owner() + "\", \"vehicle_id\": \""
                        + vehicle.id() + "\"}");
    }

    /** Ends a ride. */
    public CompletableFuture<Answer> endRide(Vehicle vehicle, String path) {
        return post(path + "/end", "{\"rider_id\": \"" + vehicle.owner() + "\", \"end_address\": \"1 Main Street\"}");
    }

    private CompletableFuture<Answer> post(String path, String json) {
        return sender.send(
                HttpSender.write("POST", url + path, json, UUID.randomUUID().toString(), limit));
    }
}

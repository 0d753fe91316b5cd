package io.movr.instance;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks the service of this container whether it lives, for images that have no program to ask with. */
public final class HealthCheck {

    private static final int OK = 200;

    private HealthCheck() {}

    /** Ends with exit code 0 when it lives, and with another one when it does not answer well. */
    public static void main(String[] arguments) throws Exception {
        String port = System.getenv().getOrDefault("SERVER_PORT", "8080");
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/actuator/health/liveness"))
                .timeout(Duration.ofSeconds(4))
                .build();
        int status = HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
        System.exit(status == OK ? 0 : 1);
    }
}

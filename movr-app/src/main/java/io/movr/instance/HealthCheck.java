package io.movr.instance;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The health check of a container, for images without an HTTP client. */
public final class HealthCheck {

    private static final int OK = 200;

    private HealthCheck() {}

    /** Exits with 0 if the service is healthy, and with another code otherwise. */
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

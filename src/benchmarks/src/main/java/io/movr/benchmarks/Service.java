package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.report.render.TextTable;
import io.movr.sender.HttpSender;
import io.movr.sender.Latencies;
import io.movr.sender.OpenModel;
import io.movr.traffic.ServiceProcess;
import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** The requests that the benchmarks send to the service, and their percentiles. */
final class Service {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** The maximum of arrivals in flight, above the number of threads of the service. */
    private static final int MAX_IN_FLIGHT = 1_000;

    private Service() {}

    static ServiceRequests requests(ServiceProcess service) {
        return new ServiceRequests(new HttpSender(), service.url(), LIMIT);
    }

    /** Returns up to 200 available vehicles of a city. */
    static List<Vehicle> vehicles(ServiceRequests requests, String city) {
        List<Vehicle> vehicles =
                ServiceRequests.vehicles(city, requests.manyVehicles(city).join());
        if (vehicles.size() < 2) {
            throw new UserError("Too few vehicles are available in " + city + ": measure with more --vehicles");
        }
        return vehicles;
    }

    /** Requests the available vehicles of a city. */
    static CompletionStage<String> frontPage(ServiceRequests requests, String city) {
        return requests.frontPage(city).thenApply(answer -> answer.failureUnless(200));
    }

    /**
     * Sends arrivals at a constant rate for a time, and waits until all have ended.
     *
     * @param latencies receives the arrival of a number
     * @return the seconds until the last one ended
     */
    static double run(double perSecond, Duration duration, OpenModel.Action action, LongFunction<Latencies> latencies)
            throws InterruptedException {
        return OpenModel.run(
                perSecond,
                duration,
                MAX_IN_FLIGHT,
                action,
                (number, nanos, failure) -> latencies.apply(number).add(nanos, failure));
    }

    /** Returns a percentile of all requests in milliseconds, or {@code failed}. */
    static String percentile(double percent, Latencies latencies) {
        return shown(2, latencies.percentileOfAllMs(percent));
    }

    /** Returns milliseconds with digits after the point, or {@code failed} if they are infinite. */
    static String shown(int digits, double ms) {
        return Double.isInfinite(ms) ? "failed" : TextTable.number(digits, ms);
    }
}

package io.movr.traffic;

import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** An instance of the service in a region, connected to the gateway of that region. */
public final class ServiceInstance implements AutoCloseable {

    private final Region region;
    private final Gateway gateway;
    private final ServiceProcess process;

    private ServiceInstance(Region region, Gateway gateway, ServiceProcess process) {
        this.region = region;
        this.gateway = gateway;
        this.process = process;
    }

    /** Starts an instance without waiting for it, as {@link ServiceProcess#start}. */
    static ServiceInstance start(Region region, RegionMap map, Gateway gateway, int port, Path log) {
        return new ServiceInstance(
                region,
                gateway,
                ServiceProcess.start("The service of " + region, gateway, port, log, options(region, map)));
    }

    /** Returns the arguments of {@code movr serve} for an instance in a region. */
    public static List<String> options(Region region, RegionMap map) {
        List<String> options = new ArrayList<>(List.of("--region=" + region));
        map.cities().forEach((of, cities) -> {
            for (int city = 0; city < cities.size(); city++) {
                options.add("--set=movr.region.cities." + of + "[" + city + "]=" + cities.get(city));
            }
        });
        return options;
    }

    void await() throws InterruptedException {
        process.await();
    }

    /**
     * Returns the number of transactions that it has retried since its start, mainly after serialization failures;
     * empty if its metrics cannot be read.
     */
    OptionalLong transactionRetries() throws InterruptedException {
        return process.metrics()
                .map(metrics -> OptionalLong.of(Math.round(metrics.sum("movr_transactions_retries_total"))))
                .orElse(OptionalLong.empty());
    }

    /** Returns its metrics; empty if they cannot be read. */
    public Optional<ServiceProcess.Metrics> metrics() throws InterruptedException {
        return process.metrics();
    }

    /** Kills it by SIGKILL. */
    void kill() throws IOException {
        process.kill();
    }

    /** Restarts the instance, as {@link ServiceProcess#restart}. */
    void restart() throws IOException, InterruptedException {
        process.restart();
    }

    public Region region() {
        return region;
    }

    /** Returns the gateway that it connects to. */
    public Gateway gateway() {
        return gateway;
    }

    /** Returns its URL, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return process.url();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns its log file. */
    public Path log() {
        return process.log();
    }

    /** Requests its end; {@link #close} waits for it. */
    void release() {
        process.release();
    }

    @Override
    public void close() {
        process.close();
    }
}

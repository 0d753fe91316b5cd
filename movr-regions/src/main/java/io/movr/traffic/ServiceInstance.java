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

/** An instance of the service in a region, pinned to the gateway there. */
public final class ServiceInstance implements AutoCloseable {

    private final Region region;
    private final Gateway gateway;
    private final ServiceProcess process;

    private ServiceInstance(Region region, Gateway gateway, ServiceProcess process) {
        this.region = region;
        this.gateway = gateway;
        this.process = process;
    }

    /** Begins to start one, as {@link ServiceProcess#start}. */
    static ServiceInstance start(Region region, RegionMap map, Gateway gateway, int port, Path log) {
        return new ServiceInstance(
                region,
                gateway,
                ServiceProcess.start("The service of " + region, gateway, port, log, options(region, map)));
    }

    /** The arguments of {@code movr serve} for an instance in a region. */
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
     * How many transactions it has tried again since it was started, as its metrics have it: after serialization failures,
     * above all. Empty when it does not tell.
     */
    OptionalLong transactionRetries() throws InterruptedException {
        return process.metrics()
                .map(metrics -> OptionalLong.of(Math.round(metrics.sum("movr_transactions_retries_total"))))
                .orElse(OptionalLong.empty());
    }

    /** What it tells Prometheus; empty when it does not tell. */
    public Optional<ServiceProcess.Metrics> metrics() throws InterruptedException {
        return process.metrics();
    }

    /** Kills it by SIGKILL. */
    void kill() throws IOException {
        process.kill();
    }

    /** As {@link ServiceProcess#restart}. */
    void restart() throws IOException, InterruptedException {
        process.restart();
    }

    public Region region() {
        return region;
    }

    /** The endpoint of the database that it is pinned to. */
    public Gateway gateway() {
        return gateway;
    }

    /** Where it listens, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return process.url();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where it logs. */
    public Path log() {
        return process.log();
    }

    /** Tells it to end; {@link #close} waits until it has. */
    void release() {
        process.release();
    }

    @Override
    public void close() {
        process.close();
    }
}

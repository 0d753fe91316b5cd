package io.movr.load;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run; movr-load/README.md explains each property.
 *
 * @param instances the address of the app instance of each region, without a slash at its end
 * @param rates mean arrivals a second by region
 * @param clients of each region where anybody arrives, each of whom arrives again when the answer is there; 0 for arrivals
 *     at the rates
 * @param remoteShare share of riders who ask about a city of another region, 0 to 1
 * @param pause between the steps of a journey
 * @param moves how often a journey reports where it is
 * @param locations how many active rides report where they are before one of the mixes writes
 * @param retries how often a write whose answer was lost is sent again
 * @param retryPause before the first of them; each next one waits twice as long
 * @param known how many users and vehicles of a city are looked up before the traffic
 * @param minSuccessPercent of all requests that count, refusals among them
 * @param maxP99 of the latency since a request was due, empty if any is good enough
 * @param database where the ledger is checked at the end, empty if it is not
 * @param shown every property with its value
 */
record Settings(
        RegionMap regions,
        Map<Region, URI> instances,
        Mix mix,
        Profile profile,
        Map<Region, Double> rates,
        int clients,
        Duration warmup,
        Duration duration,
        double remoteShare,
        Duration pause,
        int moves,
        int locations,
        int retries,
        Duration retryPause,
        Duration timeout,
        int known,
        long seed,
        double minSuccessPercent,
        Optional<Duration> maxP99,
        Optional<Gateway> database,
        Path out,
        Map<String, String> shown) {

    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    /** Returns the settings that system properties make. */
    static Settings ofSystem() {
        return of(System::getProperty);
    }

    /**
     * Returns the settings that properties make.
     *
     * @param values a property's value by its name, null when it has none
     * @throws UserError when one of them cannot be
     */
    static Settings of(UnaryOperator<@Nullable String> values) {
        PropertyReader properties = new PropertyReader(values);
        RegionMap regions = regions(properties.text("movr.region.cities", ""));
        String url = properties.text("url", "http://127.0.0.1:8080");
        Map<Region, URI> instances = new LinkedHashMap<>();
        regions.cities().keySet().forEach(region -> instances.put(region, instance(properties, region, url)));
        Mix mix = properties.choice("mix", Mix.class, Mix.MOVR);
        Profile profile = properties.choice("profile", Profile.class, Profile.STEADY);
        Map<Region, Double> rates = rates(properties, regions);
        double p99Millis = properties.number("p99", 0, 0, 3_600_000);
        String database = properties.text("database", "");
        Optional<Gateway> gateway = database.isEmpty() ? Optional.empty() : Optional.of(new Gateway(database));
        return new Settings(
                regions,
                instances,
                mix,
                profile,
                rates,
                (int) properties.whole("clients", 0, 0, 10_000),
                properties.seconds("warmup", 5, 0, 3_600),
                properties.seconds("duration", 30, 1, 604_800),
                properties.number("remoteShare", 0.05, 0, 1),
                properties.millis("pause", 500, 0, 600_000),
                (int) properties.whole("moves", 3, 0, 1_000),
                (int) properties.whole("locations", 10, 0, 1_000),
                (int) properties.whole("retries", 5, 0, 100),
                properties.millis("retryPause", 250, 1, 60_000),
                properties.millis("timeout", 10_000, 1, 600_000),
                (int) properties.whole("known", 1_000, 1, 1_000_000),
                properties.whole("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
                properties.number("minSuccess", 99, 0, 100),
                p99Millis == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(Math.round(p99Millis * 1e6))),
                gateway,
                Path.of(properties.text(
                        "out",
                        "target/traffic/" + LocalDateTime.now(ZoneOffset.UTC).format(FOLDER))),
                // Last, when all have been read.
                shown(properties, gateway));
    }

    private static Map<String, String> shown(PropertyReader properties, Optional<Gateway> gateway) {
        Map<String, String> shown = properties.read();
        gateway.ifPresent(there -> shown.put("database", there.recorded()));
        return shown;
    }

    /** Reads {@code region=city,city;region=city}; MovR's nine cities when it is empty. */
    private static RegionMap regions(String text) {
        if (text.isEmpty()) {
            return RegionMap.standard();
        }
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        try {
            for (String region : text.split(";", -1)) {
                String[] parts = region.split("=", 2);
                if (parts.length < 2) {
                    throw new IllegalArgumentException("'" + region + "' lists no cities");
                }
                List<String> names = new ArrayList<>(Arrays.stream(parts[1].split(",", -1))
                        .map(String::strip)
                        .toList());
                names.removeIf(String::isEmpty);
                cities.put(new Region(parts[0].strip()), names);
            }
            return new RegionMap(cities);
        } catch (IllegalArgumentException wrong) {
            throw PropertyReader.refused(
                    "movr.region.cities", text, "region=city,city;region=city (" + wrong.getMessage() + ")", wrong);
        }
    }

    private static URI instance(PropertyReader properties, Region region, String otherwise) {
        String name = "url." + region;
        String value = properties.text(name, otherwise);
        try {
            URI address = new URI(value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
            if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
                return address;
            }
        } catch (URISyntaxException wrong) {
            throw PropertyReader.refused(name, value, "an address such as http://127.0.0.1:8080", wrong);
        }
        throw PropertyReader.refused(name, value, "an address such as http://127.0.0.1:8080", null);
    }

    private static Map<Region, Double> rates(PropertyReader properties, RegionMap regions) {
        double rate = properties.number("rate", 30, 0.01, 100_000);
        Map<Region, Double> shares = new LinkedHashMap<>();
        for (Region region : regions.cities().keySet()) {
            shares.put(region, properties.number("share." + region, 1, 0, 1_000_000));
        }
        double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        if (sum == 0) {
            throw new UserError("Every share is 0: give one region more");
        }
        shares.replaceAll((region, share) -> rate * share / sum);
        return shares;
    }
}

package io.movr.calibration;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/**
 * The published figures of YCSB B with one worker: the range for healthy infrastructure, and the results of a laptop
 * of 2018 with CockroachDB v19.2.
 */
final class PublishedBaselines {

    private static final String RESOURCE = "published-baselines.csv";

    private final Map<String, Figure> figures = new HashMap<>();

    /**
     * A published figure.
     *
     * @param engine the engine and version
     * @param conditions the conditions of the measurement, such as rows, seconds and machine
     */
    record Figure(double value, String engine, String conditions) {}

    PublishedBaselines() {
        InputStream stream = PublishedBaselines.class.getResourceAsStream(RESOURCE);
        if (stream == null) {
            throw new IllegalStateException(RESOURCE + " is missing from the jar");
        }
        try (Reader reader = new InputStreamReader(stream, StandardCharsets.UTF_8);
                CSVParser rows = CSVFormat.RFC4180
                        .builder()
                        .setHeader()
                        .setSkipHeaderRecord(true)
                        .get()
                        .parse(reader)) {
            rows.forEach(row -> figures.put(
                    row.get("id"),
                    new Figure(Double.parseDouble(row.get("value")), row.get("engine"), row.get("conditions"))));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    double value(String id) {
        return figure(id).value();
    }

    Figure figure(String id) {
        Figure figure = figures.get(id);
        if (figure == null) {
            throw new IllegalStateException("There is no published figure " + id);
        }
        return figure;
    }
}

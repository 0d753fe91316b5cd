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
 * What was published of YCSB B with one worker: what healthy infrastructure should show, and what a laptop of 2018 with
 * CockroachDB v19.2 did.
 */
final class PublishedBaselines {

    private static final String RESOURCE = "published-baselines.csv";

    private final Map<String, Double> values = new HashMap<>();

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
            rows.forEach(row -> values.put(row.get("id"), Double.parseDouble(row.get("value"))));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    double value(String id) {
        Double value = values.get(id);
        if (value == null) {
            throw new IllegalStateException("There is no published figure " + id);
        }
        return value;
    }
}

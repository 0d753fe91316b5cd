package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.report.CheckResults;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class InterleavingsTest {

    /** PostgreSQL documents that no level has dirty reads, and that repeatable read is snapshot isolation. */
    @Test
    void postgresPermitsAtEachLevelWhatItsDocumentationSays() throws InterruptedException {
        List<CheckResults.Interleaving> found;
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            found = Interleavings.run(server.gateway(), what -> {});
        }
        Map<String, List<String>> possible = found.stream()
                .collect(Collectors.toMap(
                        CheckResults.Interleaving::anomaly,
                        one -> one.outcome().entrySet().stream()
                                .filter(level -> level.getValue().equals("possible"))
                                .map(Map.Entry::getKey)
                                .toList()));
        List<String> none = List.of();
        List<String> readCommitted = List.of("read-committed");
        List<String> belowSerializable = List.of("read-committed", "repeatable-read");
        assertThat(possible)
                .isEqualTo(Map.of(
                        "G0", none,
                        "G1a", none,
                        "G1b", none,
                        "G1c", none,
                        "OTV", none,
                        "PMP", readCommitted,
                        "P4", readCommitted,
                        "G-single", readCommitted,
                        "G2-item", belowSerializable,
                        "G2", belowSerializable));
    }
}

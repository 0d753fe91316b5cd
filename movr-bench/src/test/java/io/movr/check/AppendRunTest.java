package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.check.Transaction.Outcome;
import io.movr.database.EmbeddedPostgres;
import io.movr.workload.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AppendRunTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static AppendRun run(Isolation isolation, int clients, @Nullable Breakage broken) {
        return new AppendRun(
                List.of(server.gateway()),
                server.gateway(),
                new AppendRun.Settings(
                        isolation, clients, Duration.ofSeconds(2), 0, new AppendGenerator.Shape(3, 32, 4), 1, broken));
    }

    private static Report report(AppendRun run) throws InterruptedException {
        AppendRun.Seen seen = run.run(null, (seconds, ok, failed, unknown) -> {});
        assertThat(seen.complete()).isTrue();
        assertThat(seen.history()).extracting(Transaction::outcome).contains(Outcome.OK);
        return ListAppendChecker.check(seen.history(), seen.lists());
    }

    @Test
    void serializableTransactionsHaveNoAnomaly() throws InterruptedException {
        // With more than two, PostgreSQL itself has shown a G2-item once in a few hundred thousand transactions.
        assertThat(report(run(Isolation.SERIALIZABLE, 2, null)).counts()).isEmpty();
    }

    @Test
    void repeatableReadHasWriteSkewAndNothingThatItForbids() throws InterruptedException {
        Report report = report(run(Isolation.REPEATABLE_READ, 4, null));
        assertThat(report.forbiddenBy(Level.SNAPSHOT)).isEmpty();
        assertThat(report.counts()).containsKey(AnomalyType.G2_ITEM);
    }

    @Test
    void readCommittedHasReadSkewAndNothingThatItForbids() throws InterruptedException {
        Report report = report(run(Isolation.READ_COMMITTED, 4, null));
        assertThat(report.forbiddenBy(Level.READ_COMMITTED)).isEmpty();
        assertThat(report.counts()).containsKeys(AnomalyType.G_SINGLE, AnomalyType.LOST_UPDATE);
    }

    @Test
    void aClientThatRetriesWhatWasCommittedIsFoundOut() throws InterruptedException {
        assertThat(report(run(Isolation.SERIALIZABLE, 2, Breakage.RETRY)).counts())
                .containsKey(AnomalyType.DUPLICATE);
    }

    @Test
    void aClientThatReadsFromACacheIsFoundOut() throws InterruptedException {
        assertThat(report(run(Isolation.SERIALIZABLE, 2, Breakage.CACHE)).satisfies(Level.SERIALIZABLE))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void theServerSaysAtWhichLevelItRuns(Isolation isolation) {
        assertThat(run(isolation, 1, null).level()).isEqualTo(AppendRun.levelOf(isolation));
    }

    @ParameterizedTest
    @CsvSource({
        "40001, true",
        "40P01, true",
        "23505, true",
        "25P02, true",
        "40003, false",
        "08006, false",
        "57P01, false",
        "53100, false",
        "XX000, false",
        ", false"
    })
    void onlyARefusalMeansThatACommitTookNoEffect(@Nullable String state, boolean refused) {
        assertThat(AppendClient.isRefused(new SQLException("no", state))).isEqualTo(refused);
    }
}

package io.movr.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Rows;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadOverBrokenConnectionTest {

    @ParameterizedTest
    @CsvSource({"BASELINE, 2", "FOREIGN_KEYS, 1"})
    void aLoadWhoseCommitsWereExecutedButNotAnsweredSucceeds(Stage stage, int commits) throws Exception {
        DatasetSpec spec = Scale.TINY.spec(1);
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                CuttingProxy proxy = new CuttingProxy(server.gateway())) {
            new Schema(Engine.POSTGRESQL, server.gateway()).migrateTo(stage);
            BulkLoader loader = new BulkLoader(Engine.POSTGRESQL, proxy.gateway(), new LoadProgress());
            // It also makes the table of the notes.
            assertThat(loader.isPending()).isTrue();
            CompletableFuture<BulkLoader.Result> load;
            try (Connection holder = server.gateway().connect()) {
                // Until here there are other commits, of Flyway.
                holder.setAutoCommit(false);
                Rows.execute(holder, "LOCK TABLE movr_loads IN SHARE MODE");
                load = CompletableFuture.supplyAsync(() -> loader.load(spec, 2, IfFilled.REFUSE));
                while (Rows.one(holder, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                        .equals("0")) {
                    assertThat(load).isNotDone();
                    TimeUnit.MILLISECONDS.sleep(20);
                }
                proxy.cutAnswersOfCommits(commits);
                holder.commit();
            }
            BulkLoader.Result result = load.get(1, TimeUnit.MINUTES);
            assertThat(result.rows()).isEqualTo(spec.totalRows());
            assertThat(result.connections()).isEqualTo(commits);
            try (Connection connection = server.gateway().connect()) {
                assertThat(Rows.one(connection, "SELECT count(*) FROM rides")).isEqualTo(Long.toString(spec.rides()));
                assertThat(Rows.one(connection, "SELECT count(*) FROM users")).isEqualTo(Long.toString(spec.users()));
                assertThat(Rows.one(connection, "SELECT string_agg(state, ',') FROM movr_loads"))
                        .isEqualTo("complete");
            }
        }
    }
}

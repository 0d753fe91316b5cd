package io.movr.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.TestDatabase;
import io.movr.database.Engine;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadOverBrokenConnectionTest {

    @ParameterizedTest
    @CsvSource({"BASELINE, 2", "FOREIGN_KEYS, 1"})
    void aLoadWhoseCommitsWereExecutedButNotAnsweredSucceeds(Stage stage, int commits) throws Exception {
        TestDatabase database = TestDatabase.fresh();
        new Schema(Engine.POSTGRESQL, database.gateway()).migrateTo(stage);
        DatasetSpec spec = Scale.TINY.spec(1);
        try (CuttingProxy proxy = new CuttingProxy(database.gateway())) {
            proxy.cutAnswersOfCommits(commits);
            BulkLoader.Result result = load(proxy, spec);
            assertThat(result.rows()).isEqualTo(spec.totalRows());
            assertThat(result.connections()).isEqualTo(commits);
        }
        assertThat(database.query("SELECT count(*) FROM rides")).containsExactly(Long.toString(spec.rides()));
        assertThat(database.query("SELECT count(*) FROM users")).containsExactly(Long.toString(spec.users()));
        assertThat(database.query("SELECT state FROM movr_loads")).containsExactly("complete");
    }

    private static BulkLoader.Result load(CuttingProxy proxy, DatasetSpec spec) throws SQLException {
        return new BulkLoader(Engine.POSTGRESQL, proxy.gateway(), new LoadProgress()).load(spec, 2, IfFilled.REFUSE);
    }
}

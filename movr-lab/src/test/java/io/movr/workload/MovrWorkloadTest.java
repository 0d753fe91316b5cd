package io.movr.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MovrWorkloadTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void load() {
        server = EmbeddedPostgres.temporary();
        new BulkLoader(Engine.POSTGRESQL, server.gateway(), new LoadProgress())
                .load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(MovrMix.class)
    void everyWriteThatIsAcknowledgedIsThere(MovrMix mix) throws Exception {
        Gateway gateway = server.gateway();
        Workload workload = new MovrWorkload(mix, 0.3, List.of());
        try (Connection connection = gateway.connect()) {
            workload.prepare(connection);
        }
        RunResult result = new Runner(
                        workload,
                        ConnectionSource.of(gateway, "test"),
                        RunPlan.of(4, Duration.ofMinutes(1)).withMaxOps(2_000),
                        RunListener.NONE)
                .run();
        assertThat(result.firstFailure()).isNull();
        assertThat(result.operations())
                .extracting(OperationResult::name)
                .contains("readVehicles", "startRide", "endRide", "addUser", "applyPromoCode", "addVehicle");
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            assertThat(workload.check(connection)).isEmpty();
            statement.execute(
                    "DELETE FROM promo_codes WHERE code = (SELECT max(code) FROM promo_codes WHERE code LIKE 'run_%')");
            assertThat(workload.check(connection)).singleElement().asString().startsWith("createPromoCode");
        }
    }

    @Test
    void theWritesComeInThePublishedShares() {
        SplittableRandom random = new SplittableRandom(1);
        int[] counts = new int[MovrMix.OPERATIONS.size()];
        for (int draw = 0; draw < 100_000; draw++) {
            counts[MovrMix.PYTHON.write(random.nextDouble())]++;
        }
        assertThat(counts[MovrMix.READ_VEHICLES]).isZero();
        assertThat(counts[MovrMix.START_RIDE]).isBetween(27_000, 28_000);
        assertThat(counts[MovrMix.END_RIDE]).isBetween(27_000, 28_000);
        assertThat(counts[MovrMix.CREATE_PROMO_CODE]).isBetween(2_600, 3_300);
    }

    @Test
    void aCityWithoutRowsIsRefused() throws Exception {
        Workload workload = new MovrWorkload(MovrMix.MOVR, 0.95, List.of("atlantis"));
        try (Connection connection = server.gateway().connect()) {
            assertThatThrownBy(() -> workload.prepare(connection))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("There are no rows of the city 'atlantis'");
        }
    }
}

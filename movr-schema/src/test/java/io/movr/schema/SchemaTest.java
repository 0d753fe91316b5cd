package io.movr.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.FaultTarget;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.StatementWatchdog;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SchemaTest {

    private TestDatabase database;
    private Gateway gateway;
    private Schema schema;

    @BeforeEach
    void freshDatabase() throws SQLException {
        database = TestDatabase.fresh();
        gateway = database.gateway();
        schema = new Schema(Engine.POSTGRESQL, gateway);
    }

    @Test
    void everyStageIsReachedInOrderAndMigratingTwiceDoesNothing() throws SQLException {
        assertThat(schema.current()).isEmpty();
        for (Stage stage : Stage.of(Engine.POSTGRESQL)) {
            assertThat(schema.migrateTo(stage)).containsExactly(stage);
            assertThat(schema.migrateTo(stage)).isEmpty();
            assertThat(schema.current()).contains(stage);
        }
    }

    @Test
    void theReasonOfTheServerIsShownIfAScriptFails() throws SQLException {
        database.execute("CREATE DATABASE schema_in_latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        Gateway latin = gateway.toDatabase("schema_in_latin");
        assertThatThrownBy(() -> new Schema(Engine.POSTGRESQL, latin).migrateTo(Stage.BASELINE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("LATIN1")
                .hasMessageContaining("create one with ENCODING 'UTF8'");
        database.execute("CREATE SCHEMA elsewhere");
        database.execute("CREATE FUNCTION elsewhere.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE 'no tables here'; END $$");
        database.execute("CREATE EVENT TRIGGER guard ON ddl_command_start EXECUTE FUNCTION elsewhere.refuse()");
        assertThatThrownBy(() -> schema.migrateTo(Stage.BASELINE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no tables here")
                .hasMessageContaining("refuse()");
    }

    @Test
    void theIndexesOfEachStageAreThere() throws SQLException {
        schema.migrateTo(Stage.FOREIGN_KEYS);
        assertThat(ownIndexes()).isEmpty();
        schema.migrateTo(Stage.NAME_INDEX);
        assertThat(ownIndexes()).containsExactly("CREATE INDEX users_name_idx ON public.users USING btree (name)");
        schema.migrateTo(Stage.COVERING_INDEX);
        assertThat(ownIndexes())
                .containsExactly(
                        "CREATE INDEX users_name_idx ON public.users USING btree (name) INCLUDE (credit_card)");
        schema.migrateTo(Stage.UNUSED_INDEX_DROPPED);
        assertThat(ownIndexes())
                .containsExactly("CREATE INDEX rides_start_time_idx ON public.rides USING btree (start_time)"
                        + " INCLUDE (rider_id)");
    }

    @Test
    void goingBackIsRefusedWithTheWayForward() {
        schema.migrateTo(Stage.JOIN_INDEX);
        assertThatThrownBy(() -> schema.migrateTo(Stage.NAME_INDEX))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("past name-index")
                .hasMessageContaining("--data-dir");
        assertThat(schema.current()).contains(Stage.JOIN_INDEX);
    }

    @Test
    void theHistoryOfAnotherApplicationIsNoStage() throws SQLException {
        database.execute("CREATE TABLE flyway_schema_history (installed_rank int PRIMARY KEY, version text,"
                + " description text, type text, script text, checksum int, installed_by text,"
                + " installed_on timestamp DEFAULT now(), execution_time int, success boolean)");
        for (String scripts :
                List.of("V1__init.sql V2__orders.sql V3__name_index.sql", "V1__baseline.sql", "V3__name_index.sql")) {
            database.execute("DELETE FROM flyway_schema_history");
            for (String script : scripts.split(" ", -1)) {
                String version = script.substring(1, 2);
                database.execute("INSERT INTO flyway_schema_history VALUES (" + version + ", '" + version
                        + "', '', 'SQL', '" + script + "', 4711, 'shop', now(), 1, true)");
            }
            for (ThrowingCallable asking : List.<ThrowingCallable>of(
                    schema::current,
                    schema::stages,
                    () -> schema.migrateTo(Stage.JOIN_INDEX),
                    () -> new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress())
                            .load(Scale.TINY.spec(1), 1, BulkLoader.IfFilled.REPLACE),
                    () -> {
                        try (Connection connection = gateway.connect()) {
                            Schema.readStage(connection);
                        }
                    })) {
                assertThatThrownBy(asking)
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("flyway_schema_history")
                        .hasMessageContaining("another application's");
            }
        }
        assertThat(database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
                .containsExactly("flyway_schema_history");
    }

    @Test
    void statusTellsWhatWasReached() {
        schema.migrateTo(Stage.NAME_INDEX);
        assertThat(schema.stages())
                .filteredOn(status -> status.appliedAt() != null)
                .extracting(Schema.Status::stage)
                .containsExactly(Stage.BASELINE, Stage.FOREIGN_KEYS, Stage.NAME_INDEX);
    }

    @Test
    void whoseLockAMigrationWaitsForIsSaidAndAServerThatStopsIsGivenUp() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Connection holder = server.gateway().connect("holder")) {
            Schema impatient = new Schema(
                    Engine.POSTGRESQL,
                    server.gateway(),
                    new StatementWatchdog.Limits(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofSeconds(2)));
            Schema patient = new Schema(Engine.POSTGRESQL, server.gateway());
            patient.migrateTo(Stage.FOREIGN_KEYS);
            holder.setAutoCommit(false);
            Rows.execute(holder, "INSERT INTO users (id, city) VALUES (gen_random_uuid(), 'boston')");
            BlockingQueue<MigrationProgress> told = new LinkedBlockingQueue<>();
            CompletableFuture<List<Stage>> migration =
                    CompletableFuture.supplyAsync(() -> impatient.migrateTo(Stage.NAME_INDEX, told::add));
            String waits = "";
            while (!waits.startsWith("waits for a lock of session ")) {
                assertThat(migration).isNotDone();
                MigrationProgress next = told.poll(1, TimeUnit.MINUTES);
                assertThat(next).isNotNull();
                waits = next.what();
            }
            assertThat(waits).contains(" (holder): ", "INDEX");
            FaultTarget target = server.faultTargets().get(0);
            target.pause();
            try {
                assertThatThrownBy(migration::join)
                        .hasCauseInstanceOf(UserError.class)
                        .hasMessageContaining("has not answered for 2 s")
                        .hasMessageContaining(waits)
                        .hasMessageContaining("run the command again");
            } finally {
                target.resume();
            }
            holder.rollback();
            assertThat(patient.migrateTo(Stage.NAME_INDEX)).containsExactly(Stage.NAME_INDEX);
        }
    }

    @Test
    void tablesThatMovrDidNotMakeAreLeftAlone() throws SQLException {
        database.execute("CREATE TABLE payroll (salary INT)");
        assertThatThrownBy(() -> schema.migrateTo(Stage.BASELINE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("tables that movr did not make");
        assertThat(database.query("SELECT count(*) FROM payroll")).containsExactly("0");
    }

    @Test
    void columnsStandInTheOfficialOrder() throws SQLException {
        schema.migrateTo(Stage.BASELINE);
        assertThat(database.query("SELECT string_agg(column_name, ' ' ORDER BY ordinal_position) FROM"
                        + " information_schema.columns WHERE table_name = 'rides'"))
                .containsExactly("id city vehicle_city rider_id vehicle_id start_address end_address start_time"
                        + " end_time revenue");
    }

    @Test
    void aRideInAnotherCityThanItsVehicleIsRefused() {
        schema.migrateTo(Stage.BASELINE);
        assertThatThrownBy(() -> database.execute(
                        "INSERT INTO rides (id, city, vehicle_city) VALUES (gen_random_uuid(), 'rome', 'paris')"))
                .hasMessageContaining("check_vehicle_city_city");
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void everyScriptOfEveryEngineSaysWhatItTeaches(Stage stage) {
        for (Engine engine : Engine.values()) {
            if (Stage.of(engine).contains(stage)) {
                Stage before = stage == Stage.BASELINE ? null : Stage.named(Integer.toString(stage.version() - 1));
                assertThat(Schema.script(engine, RegionMap.standard(), before, stage))
                        .startsWith("-- Stage " + stage.version() + ", " + stage + ": ")
                        .containsOnlyOnce("-- Stage ")
                        .contains("-- What it teaches:", "-- Speeds up:", "-- Published:");
            }
        }
    }

    @Test
    void stagesAreFoundByNameAndByVersion() {
        assertThat(Arrays.stream(Stage.values()).map(Stage::id).map(Stage::named))
                .containsExactly(Stage.values());
        assertThat(Stage.named("4")).isEqualTo(Stage.COVERING_INDEX);
        assertThat(Stage.latest(Engine.POSTGRESQL)).isEqualTo(Stage.REGIONAL_BY_ROW);
        assertThat(Stage.latest(Engine.COCKROACHDB)).isEqualTo(Stage.REGION_SURVIVAL);
        assertThatThrownBy(() -> Stage.named("covering")).hasMessageContaining("covering-index");
    }

    private List<String> ownIndexes() throws SQLException {
        return database.query(
                "SELECT indexdef FROM pg_indexes WHERE indexname IN ('users_name_idx', 'rides_start_time_idx')"
                        + " AND tablename = CASE WHEN EXISTS (SELECT 1 FROM pg_indexes WHERE indexname = 'users_name_idx')"
                        + " THEN 'users' ELSE 'rides' END");
    }
}

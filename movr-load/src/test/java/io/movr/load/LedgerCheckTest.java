package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers against rows that were made for them. */
class LedgerCheckTest {

    private static Gateway gateway;

    @TempDir
    Path folder;

    private final Keys keys = new Keys();
    private final List<String> lines = new ArrayList<>();
    private String owner;

    @BeforeAll
    static void makeTables() throws SQLException {
        gateway = RunningService.emptyDatabase();
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
    }

    @BeforeEach
    void addOwner() throws SQLException {
        owner = addUser("an owner");
    }

    private List<String> check() throws IOException, SQLException {
        List<String> all = new ArrayList<>(List.of("kind,city,id,key,outcome"));
        all.addAll(lines);
        Path file = Files.write(folder.resolve("ledger.csv"), all);
        return LedgerCheck.check(gateway, file);
    }

    private void acknowledged(String kind, String id, String key) {
        lines.add(kind + ",rome," + id + "," + key + ",acknowledged");
    }

    private void unknown(String kind, String id, String key) {
        lines.add(kind + ",rome," + id + "," + key + ",unknown");
    }

    private String addUser(String address) throws SQLException {
        String id = UUID.randomUUID().toString();
        RunningService.execute(
                gateway,
                "INSERT INTO users (id, city, name, address, credit_card) VALUES ('" + id + "', 'rome', 'Ada', '"
                        + address + "', '4111111111111111')");
        return id;
    }

    private String addVehicle(String brand) throws SQLException {
        String id = UUID.randomUUID().toString();
        RunningService.execute(
                gateway,
                "INSERT INTO vehicles (id, city, type, owner_id, creation_time, status, current_location, ext)"
                        + " VALUES ('" + id + "', 'rome', 'bike', '" + owner
                        + "', now(), 'available', 'here', '{\"brand\": \"" + brand + "\"}')");
        return id;
    }

    private String addRide(String vehicle, String endAddress) throws SQLException {
        String id = UUID.randomUUID().toString();
        boolean ended = endAddress != null;
        RunningService.execute(
                gateway,
                "INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_address, end_address,"
                        + " start_time, end_time, revenue) VALUES ('" + id + "', 'rome', 'rome', '" + owner + "', '"
                        + vehicle
                        + "', 'here', " + (ended ? "'" + endAddress + "'" : "NULL") + ", '2030-01-01', "
                        + (ended ? "'2030-01-01', 1" : "NULL, NULL") + ")");
        return id;
    }

    private void remember(String key) throws SQLException {
        RunningService.execute(
                gateway,
                "INSERT INTO idempotency_keys (city, key, operation, request_hash, response, creation_time)"
                        + " VALUES ('rome', '" + key + "', 'x', 'x', '{}', '2030-01-01')");
    }

    @Test
    void anEmptyLedgerIsRight() throws Exception {
        assertThat(check()).isEmpty();
    }

    @Test
    void writesThatAreThereAsTheLedgerSaysAreRight() throws Exception {
        String user = keys.next();
        acknowledged("add_user", addUser(user), user);
        String vehicle = keys.next();
        String bike = addVehicle(vehicle);
        acknowledged("add_vehicle", bike, vehicle);
        String start = keys.next();
        String end = keys.next();
        String ride = addRide(bike, end);
        remember(start);
        acknowledged("start_ride", ride, start);
        acknowledged("end_ride", ride, end);
        unknown("add_user", "", keys.next());
        unknown("start_ride", owner + "@" + bike, keys.next());
        unknown("end_ride", UUID.randomUUID().toString(), keys.next());
        assertThat(check()).isEmpty();
    }

    @Test
    void anUnknownRideThatNeverBeganIsRight() throws Exception {
        unknown("start_ride", owner + "@" + addVehicle("x"), keys.next());
        assertThat(check()).isEmpty();
    }

    @Test
    void aLedgerWhoseKeysAreForgottenIsNotCalledRight() throws Exception {
        acknowledged("start_ride", addRide(addVehicle("x"), null), keys.next());
        assertThat(check()).singleElement().asString().contains("within a day");
    }

    @Test
    void anAcknowledgedWriteThatIsMissingIsFound() throws Exception {
        for (String kind : List.of("add_user", "add_vehicle", "start_ride", "end_ride")) {
            acknowledged(kind, UUID.randomUUID().toString(), keys.next());
        }
        String ride = addRide(addVehicle("x"), null);
        acknowledged("update_location", ride + "@1.5:2.5", keys.next());
        String code = keys.next();
        acknowledged("create_promo_code", code, code);
        acknowledged("apply_promo_code", owner + "@" + code, keys.next());
        assertThat(check())
                .hasSize(7)
                .anyMatch(fault -> fault.startsWith("add_user") && fault.contains("missing"))
                .anyMatch(fault -> fault.startsWith("add_vehicle") && fault.contains("missing"))
                .anyMatch(fault -> fault.startsWith("start_ride") && fault.contains("missing"))
                .anyMatch(fault -> fault.startsWith("end_ride") && fault.contains("missing"))
                .anyMatch(fault -> fault.startsWith("update_location") && fault.contains("there 0 times"))
                .anyMatch(fault -> fault.startsWith("create_promo_code") && fault.contains("missing"))
                .anyMatch(fault -> fault.startsWith("apply_promo_code") && fault.contains("there 0 times"));
    }

    @Test
    void aWriteThatWasDoneTwiceIsFound() throws Exception {
        String user = keys.next();
        addUser(user);
        acknowledged("add_user", addUser(user), user);
        String vehicle = keys.next();
        addVehicle(vehicle);
        addVehicle(vehicle);
        unknown("add_vehicle", "", vehicle);
        String bike = addVehicle("x");
        String start = keys.next();
        addRide(bike, null);
        String ride = addRide(bike, null);
        remember(start);
        acknowledged("start_ride", ride, start);
        RunningService.execute(
                gateway,
                "INSERT INTO vehicle_location_histories (city, ride_id, \"timestamp\", lat, long) VALUES"
                        + " ('rome', '" + ride + "', '2030-01-01', 1.5, 2.5), ('rome', '" + ride
                        + "', '2030-01-02', 1.5, 2.5)");
        acknowledged("update_location", ride + "@1.5:2.5", keys.next());
        String code = keys.next();
        RunningService.execute(
                gateway, "INSERT INTO promo_codes (code, description, rules) VALUES ('" + code + "', 'x', '{}')");
        RunningService.execute(
                gateway,
                "INSERT INTO user_promo_codes (city, user_id, code, \"timestamp\", usage_count) VALUES ('rome', '"
                        + owner + "', '" + code + "', now(), 2)");
        acknowledged("create_promo_code", code, code);
        acknowledged("apply_promo_code", owner + "@" + code, keys.next());
        assertThat(check())
                .hasSize(5)
                .anyMatch(fault -> fault.startsWith("add_user") && fault.contains("2 times"))
                .anyMatch(fault -> fault.startsWith("add_vehicle") && fault.contains("2 times"))
                .anyMatch(fault -> fault.startsWith("start_ride") && fault.contains("2 times instead of 1"))
                .anyMatch(fault -> fault.startsWith("update_location") && fault.contains("2 times instead of 1"))
                .anyMatch(fault -> fault.startsWith("apply_promo_code") && fault.contains("2 times instead of 1"));
    }

    @Test
    void aWriteThatTheLedgerDoesNotKnowIsFound() throws Exception {
        String known = keys.next();
        acknowledged("add_user", addUser(known), known);
        addUser(keys.next());
        assertThat(check()).singleElement().asString().contains("not in the ledger");
    }

    @Test
    void aKeyThatBecameAnotherRowIsFound() throws Exception {
        String key = keys.next();
        addUser(key);
        acknowledged("add_user", UUID.randomUUID().toString(), key);
        assertThat(check()).singleElement().asString().contains("acknowledged as");
    }

    @Test
    void aFileThatIsNoLedgerIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
        assertThatThrownBy(() -> LedgerCheck.check(gateway, file))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a ledger");
    }
}

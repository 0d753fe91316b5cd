package io.movr.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.cache.ResultCache.Rows;
import io.movr.cache.Sql.Name;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class WatchedTablesTest {

    private static final String ID = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a";

    private static WatchedTables watched;

    @BeforeAll
    static void read() throws SQLException {
        TestDatabase database = TestDatabase.fresh();
        // As in MovR, the key's order is not that of the columns.
        database.execute("CREATE TABLE users (id UUID, city VARCHAR, name VARCHAR, PRIMARY KEY (city, id))");
        database.execute("CREATE TABLE pairs (first TEXT, second TEXT, PRIMARY KEY (second, first))");
        database.execute("CREATE TABLE accounts (aid BIGINT PRIMARY KEY)");
        database.execute("CREATE TABLE moments (at TIMESTAMP PRIMARY KEY)");
        database.execute("CREATE TABLE \"Odd \"\"name\" (x INT)");
        database.execute("CREATE SCHEMA other");
        database.execute("CREATE TABLE other.accounts (aid BIGINT PRIMARY KEY)");
        try (Connection connection = database.gateway().connect()) {
            watched = WatchedTables.of(Catalog.read(connection), connection);
        }
    }

    private static Name name(String table) {
        return new Name("public", table);
    }

    @Test
    void aKeyIsReadInTheOrderOfThePrimaryKey() {
        assertThat(watched.primaryKeys().get(name("users"))).containsExactly("city", "id");
        assertThat(watched.changed("users", "[\"new york\", \"" + ID + "\"]"))
                .containsExactly(new Rows(name("users"), List.of(UUID.fromString(ID), "new york")));
        assertThat(watched.changed("pairs", "[\"b\", \"a\"]"))
                .containsExactly(new Rows(name("pairs"), List.of("a", "b")));
    }

    @Test
    void aKeyThatTheServerPutsARegionBeforeIsTheSame() {
        assertThat(watched.changed("users", "[\"us-east1\", \"new york\", \"" + ID + "\"]"))
                .containsExactly(new Rows(name("users"), List.of(UUID.fromString(ID), "new york")));
    }

    @Test
    void aKeyThatIsNotUnderstoodConcernsTheTable() {
        for (String key :
                List.of("", "null", "{}", "[]", "[\"new york\"]", "[\"new york\", 1]", "[\"a\", \"b\"]", "[")) {
            assertThat(watched.changed("users", key)).as(key).containsExactly(new Rows(name("users"), null));
        }
        assertThat(watched.changed("moments", "[\"2018-07-20T00:00:00\"]"))
                .containsExactly(new Rows(name("moments"), null));
        assertThat(watched.changed("Odd \"name", "[7]")).containsExactly(new Rows(name("Odd \"name"), null));
    }

    @Test
    void tablesOfOneNameAreBothMeantAndOneThatIsNotKnownIsNone() {
        assertThat(watched.changed("accounts", "[9007199254740993]"))
                .containsExactlyInAnyOrder(
                        new Rows(name("accounts"), List.of(9007199254740993L)),
                        new Rows(new Name("other", "accounts"), List.of(9007199254740993L)));
        assertThat(watched.changed("users.primary", "[1]")).isEmpty();
    }

    @Test
    void timesThatAreResolvedAreReadInBothForms() throws SQLException {
        assertThat(WatchedTables.resolvedMillis("{\"resolved\":\"1580000000123456789.0000000002\"}"))
                .isEqualTo(1_580_000_000_123L);
        assertThat(WatchedTables.resolvedMillis("{\"__crdb__\":{\"resolved\":\"1580000000123456789.0000000000\"}}"))
                .isEqualTo(1_580_000_000_123L);
        for (String other : List.of("", "{}", "[]", "{\"resolved\":\"soon\"}", "nothing")) {
            assertThatThrownBy(() -> WatchedTables.resolvedMillis(other))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("unknown message");
        }
    }

    @Test
    void theStatementQuotesEveryName() {
        assertThat(ChangeFeed.statement(List.of(name("users"), new Name("my \"own", "Odd, name"))))
                .startsWith("CREATE CHANGEFEED FOR TABLE \"my \"\"own\".\"Odd, name\", \"public\".\"users\" WITH ")
                .contains("envelope = 'key_only'", "initial_scan = 'no'", "resolved = '1s'")
                .doesNotContain("INTO");
    }
}

package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.report.LabResults;
import io.movr.report.LabResults.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts of an experiment can do to the server that they run on. */
class ConfinedExperimentsTest {

    private static EmbeddedPostgres server;

    @TempDir
    private Path parent;

    private Path folder;
    private Cluster shop;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void shop() throws Exception {
        shop = OtherDatabase.create(server, "shop");
        execute("CREATE TABLE orders (id INT PRIMARY KEY, customer INT); INSERT INTO orders SELECT n, n % 10 FROM"
                + " generate_series(1, 1000) AS n");
        folder = Files.createDirectories(parent.resolve("orders"));
        write("after.sql", "CREATE INDEX orders_customer_idx ON orders (customer);");
        write("statement.sql", "SELECT id FROM orders WHERE customer = 3");
        write("experiment.yaml", "title: Orders\nexpect: {plan: {before: any plan, after: any plan}}");
    }

    @AfterEach
    void dropShop() throws Exception {
        assertThat(query(server.gateway(), "SELECT rolname FROM pg_roles WHERE rolname LIKE 'movr_lab%'"))
                .isEmpty();
        assertThat(query(server.gateway(), "SELECT datname FROM pg_database WHERE datname LIKE 'movr_lab%'"))
                .isEmpty();
        try (Connection connection = server.gateway().connect()) {
            Rows.execute(connection, "DROP DATABASE IF EXISTS shop WITH (FORCE)");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Put together at run time, so that reading the script does not show it.
                "DO $$ BEGIN EXECUTE 'ALTER DATA' || 'BASE shop SET work_mem = ''64MB'''; END $$",
                "DO $$ BEGIN EXECUTE 'CREATE RO' || 'LE clerk'; END $$",
                "DO $$ BEGIN EXECUTE 'SET RO' || 'LE movr'; END $$",
                "DO $$ BEGIN EXECUTE 'COPY orders TO PRO' || 'GRAM ''id'''; END $$",
            })
    void whatAScriptPutsTogetherAtRunTimeLacksTheRights(String statement) throws Exception {
        write("after.sql", statement);
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("after.sql, statement 1, line 1: ERROR: ")
                .hasMessageMatching("(?s).*(permission denied|must be owner).*");
        assertThat(query(shop.gateway(), "SELECT setconfig::text FROM pg_db_role_setting"))
                .isEmpty();
    }

    @Test
    void noSessionWithMoreRightsCallsWhatAScriptHasMade() throws Exception {
        write("seed.sql", """
                CREATE TABLE orders (id INT PRIMARY KEY, customer INT);
                INSERT INTO orders SELECT n, n % 10 FROM generate_series(1, 1000) AS n;
                CREATE SCHEMA evil;
                CREATE FUNCTION evil.escalate() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
                    EXECUTE 'CREATE RO' || 'LE movr_lab_escalated';
                EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
                CREATE FUNCTION evil.quote_ident(name) RETURNS text LANGUAGE sql AS $$
                    SELECT evil.escalate(); SELECT pg_catalog.quote_ident($1) $$;
                CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS $$
                    SELECT evil.escalate(); SELECT pg_catalog.set_config($1, $2, $3) $$;
                CREATE FUNCTION evil.pg_total_relation_size(oid) RETURNS bigint LANGUAGE sql AS $$
                    SELECT evil.escalate(); SELECT 8192::bigint $$;
                ALTER DATABASE :DBNAME SET search_path = evil, pg_catalog, public;
                ALTER DATABASE :DBNAME SET statement_timeout = '1h';
                """);
        write("after.sql", "CREATE EXTENSION pg_trgm; CREATE INDEX orders_customer_idx ON orders (customer);");
        write("statement.sql", "SELECT id FROM orders WHERE customer = 3");
        assertThat(run().experiments().get(0).failure()).isNull();
    }

    @Test
    void aCopyThatAScriptDeclaresATemplateIsAlsoDropped() throws Exception {
        write("after.sql", """
                CREATE INDEX orders_customer_idx ON orders (customer);
                DO $$ BEGIN EXECUTE format('ALTER DATA' || 'BASE %I IS_TEMPLATE true', current_database()); END $$;
                """);
        assertThat(tryOut()).isEmpty();
    }

    @Test
    void aSettingWithStatementsInItIsCopiedAsASetting() throws Exception {
        write("seed.sql", """
                CREATE TABLE orders (id INT PRIMARY KEY, customer INT);
                SELECT set_config('search_path', 'x;CREATE/**/ROLE/**/movr_lab_escalated;--, public', false);
                ALTER DATABASE :DBNAME SET search_path FROM CURRENT;
                """);
        write("statement.sql", "SELECT current_setting('search_path'), id FROM orders");
        assertThat(tryOut()).isEmpty();
    }

    @Test
    void aScriptThatChangesHowStringsEndIsNotRunOn() throws Exception {
        write("seed.sql", """
                CREATE TABLE orders (id INT PRIMARY KEY, customer INT);
                SELECT set_config('standard_conforming_' || 'strings', 'off', false);
                SELECT '\\'' ; CREATE TABLE hidden (a INT); --'
                """);
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("seed.sql is not run with standard_conforming_strings = off");
    }

    @Test
    void aDatabaseThatAScriptWouldDropIsThereAfterwards() throws Exception {
        write("seed.sql", "CREATE TABLE orders (id INT, customer INT);\n\nDROP DATABASE shop WITH (FORCE);");
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("seed.sql, line 3: DROP DATABASE reaches outside the database of the experiment");
        assertThat(query(shop.gateway(), "SELECT count(*) FROM orders")).isEqualTo(List.of(List.of("1000")));
    }

    @Test
    void copiesHaveTheSettingsOfTheSourceAndOfItsUser() throws Exception {
        execute("ALTER DATABASE shop SET work_mem = '7MB'; ALTER ROLE movr IN DATABASE shop SET"
                + " random_page_cost = 1.5; ALTER DATABASE shop SET search_path = 'sales', public");
        try {
            write("statement.sql", SETTINGS);
            write("experiment.yaml", """
                    title: Settings
                    expect: {plan: {before: any plan, after: any plan}, answer: settings.csv}
                    """);
            write("settings.csv", "a,b,c\n7MB,1.5,\"sales, public\"\n");
            assertThat(tryOut()).isEmpty();
        } finally {
            execute("ALTER ROLE movr IN DATABASE shop RESET ALL");
        }
    }

    private static final String SETTINGS =
            "SELECT current_setting('work_mem') AS a, current_setting('random_page_cost')"
                    + " AS b, current_setting('search_path') AS c FROM orders LIMIT 1";

    @Test
    void aSettingOfASideIsThatOfItsCopyOnly() throws Exception {
        write("after.sql", "ALTER DATABASE :DBNAME SET geqo_threshold = 13;");
        write("statement.sql", "SELECT current_setting('geqo_threshold') FROM orders LIMIT 1");
        write("experiment.yaml", """
                title: Settings
                expect:
                  plan: {before: any plan, after: any plan}
                  answer: {before: before.csv, after: after.csv}
                """);
        write("before.csv", "a\n12\n");
        write("after.csv", "a\n13\n");
        assertThat(tryOut()).isEmpty();
        assertThat(query(shop.gateway(), "SELECT setconfig::text FROM pg_db_role_setting"))
                .isEmpty();
    }

    @Test
    void aForeignTableThatAStatementReachesIsRefusedAndAnotherOneIsNamed() throws Exception {
        execute(
                "CREATE EXTENSION postgres_fdw; CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (dbname 'shop');"
                        + " CREATE USER MAPPING FOR PUBLIC SERVER far; CREATE FOREIGN TABLE far_orders (id INT) SERVER far");
        List<Check> warnings = run().preflight();
        assertThat(warnings).anySatisfy(warning -> {
            assertThat(warning.detail()).contains("do not reach the servers of the foreign tables far_orders");
        });
        execute("CREATE VIEW all_orders AS SELECT id FROM far_orders");
        write("statement.sql", "SELECT id FROM all_orders");
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("The experiment reaches the foreign table far_orders of shop");
    }

    @Test
    void aDumpOfPgDumpIsASeed() throws Exception {
        write("seed.sql", """
                --
                -- PostgreSQL database dump
                --

                \\restrict abcDEF123

                SET statement_timeout = 0;
                SELECT pg_catalog.set_config('search_path', '', false);
                CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
                COMMENT ON EXTENSION pg_trgm IS 'text similarity';
                CREATE TABLE public.orders (id integer NOT NULL, customer integer, note text);
                ALTER TABLE public.orders OWNER TO postgres;
                COPY public.orders (id, customer, note) FROM stdin;
                1\t3\tone; two
                2\t3\t\\N
                3\t4\tit's
                \\.

                ALTER TABLE ONLY public.orders ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
                GRANT SELECT ON TABLE public.orders TO clerk;
                \\unrestrict abcDEF123
                """);
        write("statement.sql", "SELECT id, note FROM orders WHERE customer = 3 ORDER BY id");
        write("experiment.yaml", """
                title: Dump
                expect: {plan: {before: any plan, after: any plan}, answer: orders.csv}
                """);
        write("orders.csv", "id,note\n1,one; two\n2,\\N\n");
        assertThat(tryOut()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\c shop", "\\connect shop", "SELECT 1 \\gexec", "\\! id", "\\copy orders from 'x'"})
    void anotherCommandOfPsqlIsNamedWithItsLine(String command) throws Exception {
        write("seed.sql", "CREATE TABLE orders (id INT);\n\n" + command + "\n");
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("seed.sql: \\")
                .hasMessageContaining("is a command of psql, which is not run here")
                .hasMessageContaining("(line 3)");
    }

    @Test
    void filesOutsideTheFolderAreNotRead() throws Exception {
        Path secret = Files.writeString(parent.resolve("secret.csv"), "id\nroot:x:0\n");
        for (String answer : List.of("../secret.csv", secret.toString())) {
            write(
                    "experiment.yaml",
                    "title: Orders\nexpect: {plan: {before: any plan, after: any plan}, answer: '" + answer + "'}");
            assertThatThrownBy(this::tryOut)
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is outside the folder of its experiment")
                    .hasMessageNotContaining("root");
        }
        write(
                "experiment.yaml",
                "title: Orders\nexpect: {plan: {before: any plan, after: any plan}, answer: link.csv}");
        Files.createSymbolicLink(folder.resolve("link.csv"), secret);
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("link.csv is outside the folder of its experiment");
        write("experiment.yaml", "title: Orders\nexpect: {plan: {before: any plan, after: any plan}}");
        Files.delete(folder.resolve("after.sql"));
        Files.createSymbolicLink(folder.resolve("after.sql"), Path.of("/dev/zero"));
        assertThatThrownBy(this::tryOut)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("after.sql is outside the folder of its experiment");
    }

    /** Returns what is wrong with plans and answers, by experiment. */
    private Map<String, String> tryOut() {
        return lab().tryOut(new LoadProgress());
    }

    private LabResults run() {
        return lab().run(new LoadProgress()).results();
    }

    private Lab lab() {
        ExperimentFolders folders = ExperimentFolders.read(List.of(folder), true, 1L << 30, Scale.TINY.spec(1));
        return new Lab(shop, LabRequests.of(folders, 1, parent), null, new SilentListener());
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = shop.gateway().connect()) {
            Rows.execute(connection, sql);
        }
    }

    private static List<List<String>> query(Gateway database, String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            return Rows.query(connection, sql, List.of());
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }
}

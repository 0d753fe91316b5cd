package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseBoundaryTest {

    private static final Path SCRIPT = Path.of("orders", "seed.sql");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP DATABASE IF EXISTS shop",
                "drop /* quietly */ database shop with (force)",
                "CREATE DATABASE shop",
                "ALTER DATABASE shop SET work_mem = '64MB'",
                "ALTER DATABASE :DBNAME RENAME TO shop",
                "ALTER DATABASE :DBNAME OWNER TO movr",
                "ALTER DATABASE :DBNAME IS_TEMPLATE true",
                "ALTER SYSTEM SET fsync = off",
                "CREATE ROLE clerk",
                "CREATE USER clerk PASSWORD 'x'",
                "ALTER USER movr SUPERUSER",
                "DROP OWNED BY movr",
                "REASSIGN OWNED BY movr TO clerk",
                "GRANT movr TO clerk",
                "GRANT ALL ON DATABASE shop TO clerk",
                "REVOKE CONNECT ON DATABASE shop FROM PUBLIC",
                "SET ROLE movr",
                "SET LOCAL ROLE movr",
                "RESET ROLE",
                "SET SESSION AUTHORIZATION DEFAULT",
                "RESET SESSION AUTHORIZATION",
                "SELECT set_config('role', 'movr', false)",
                "CREATE TABLESPACE fast LOCATION '/tmp'",
                "CREATE SUBSCRIPTION orders CONNECTION '' PUBLICATION orders",
                "CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw",
                "CREATE USER MAPPING FOR movr SERVER far",
                "CREATE EXTENSION IF NOT EXISTS postgres_fdw",
                "CREATE EXTENSION \"dblink\"",
                "IMPORT FOREIGN SCHEMA public FROM SERVER far INTO public",
                "COPY orders FROM '/etc/passwd'",
                "COPY orders TO '/tmp/orders'",
                "COPY (SELECT 1) TO PROGRAM 'id'",
                "COPY orders FROM PROGRAM 'id'",
                "COPY (SELECT 1 FROM stdin) TO PROGRAM 'id'",
                "COPY orders FROM '/etc/passwd' WHERE a IS DISTINCT FROM stdin",
                "COPY \"x from stdin\" FROM '/etc/passwd'",
                "-- the rest of the line is no comment\rDROP DATABASE shop",
                "SELECT 1 AS \u20ac$x$; DROP DATABASE shop; SELECT 2 AS \u20ac$x$",
                "PREPARE TRANSACTION 'left'",
                "SET standard_conforming_strings = off",
                "SELECT set_config('standard_conforming_strings', 'off', false)",
                "ALTER DATABASE :DBNAME SET standard_conforming_strings = off",
                "DO $$ BEGIN PERFORM '--'; EXECUTE 'CREATE ROLE clerk'; END $$",
                "SELECT pg_stat_reset_shared('bgwriter')",
                "SELECT pg_logical_slot_get_changes('x', NULL, NULL)",
                "CREATE EXTENSION plsh",
                "SELECT dblink_exec('dbname=shop', 'DROP TABLE orders')",
                "SELECT lo_export(1, '/tmp/orders')",
                "SELECT pg_read_file('/etc/passwd')",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
                "COMMENT ON DATABASE shop IS 'mine'",
                "LOAD 'auto_explain'",
                "DO $$ BEGIN EXECUTE 'ALTER  DATABASE shop SET work_mem = 64'; END $$",
                "DO 'BEGIN CREATE ROLE clerk; END'",
                "DO $$ BEGIN EXECUTE $q$ CREATE /* quietly */ ROLE clerk $q$; END $$",
                "DO $$ BEGIN PERFORM E'\\'--'; EXECUTE 'CREATE ROLE clerk'; END $$",
                "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $f$ BEGIN PERFORM dblink('', ''); END $f$",
                "SET CLUSTER SETTING kv.rangefeed.enabled = true",
                "USE shop",
                "SET database = shop",
                "BACKUP DATABASE shop INTO 'nodelocal://1/shop'",
            })
    void whatReachesOutsideTheDatabaseIsRefusedWithItsLine(String statement) {
        assertThatThrownBy(() -> SqlFile.of(SCRIPT, "CREATE TABLE a (b INT);\n-- next\n" + statement + ";"))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(SCRIPT + ", line 3: ")
                .hasMessageContaining("reaches outside the database of the experiment, so none of its scripts was run");
        assertThatThrownBy(() -> DatabaseBoundary.require(SCRIPT, "CREATE TABLE a (b INT);\n\n" + statement))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith(SCRIPT + ", line 3: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALTER DATABASE :DBNAME SET work_mem = '64MB'",
                "ALTER DATABASE :DBNAME SET work_mem TO '64MB'",
                "ALTER DATABASE :\"DBNAME\" RESET work_mem",
                "SET standard_conforming_strings = on",
                "COPY public.\"from\" (id, \"to\") FROM STDIN WITH (FORMAT csv)",
                "DO $$ BEGIN -- don't CREATE ROLE clerk\n RAISE NOTICE 'it''s done'; END $$",
                "SET work_mem = '64MB'",
                "SELECT pg_catalog.set_config('search_path', '', false)",
                "SELECT 'DROP DATABASE shop'",
                "INSERT INTO notes VALUES ('create role')",
                "CREATE TABLE \"user\" (role TEXT, database TEXT, system INT)",
                "ALTER TABLE role ADD COLUMN server TEXT",
                "SELECT role FROM \"user\" FOR UPDATE",
                "CREATE EXTENSION IF NOT EXISTS pg_trgm",
                "ALTER TABLE public.things OWNER TO postgres",
                "GRANT SELECT ON orders TO clerk",
                "CREATE VIEW backup AS SELECT 1",
                "DROP INDEX job_idx",
                "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $f$ SELECT 1 /* drop database */ $f$",
                "DO $$ BEGIN RAISE NOTICE 'done'; END $$",
                "DO $$ BEGIN /* not /* now */ DROP DATABASE shop */ NULL; END $$",
                "DO $$ BEGIN EXECUTE $q$ SELECT 1 -- CREATE ROLE clerk $q$; END $$",
            })
    void whatStaysInsideIsNot(String statement) {
        assertThat(SqlFile.of(SCRIPT, statement).statements()).hasSize(1);
    }

    @Test
    void aStringWithEscapesGoesOnInTheNextLine() {
        assertThatThrownBy(() -> SqlFile.of(SCRIPT, "SELECT E'a' -- more\n  '\\'' ; DROP DATABASE shop; --'"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("DROP DATABASE");
        assertThat(SqlFile.of(SCRIPT, "SELECT E'a'" + " ".repeat(100_000) + "\n'b', 'c'; SELECT 2")
                        .statements())
                .hasSize(2);
    }

    @Test
    void aLongStringInABodyIsReadToo() {
        String body = "DO $$ BEGIN PERFORM '" + "x".repeat(100_000) + "'; CREATE ROLE clerk; END $$";
        assertThatThrownBy(() -> SqlFile.of(SCRIPT, body)).hasMessageContaining("CREATE ROLE");
    }

    @Test
    void anExtensionIsInstalledByAStatementThatIsWrittenAnew() {
        SqlStatement dumped = SqlFile.of(
                        SCRIPT,
                        "-- Name: uuid; Type: EXTENSION\nCREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" WITH SCHEMA public CASCADE;")
                .last();
        assertThat(DatabaseBoundary.extension(dumped))
                .isEqualTo("CREATE EXTENSION IF NOT EXISTS \"uuid-ossp\" SCHEMA \"public\" CASCADE");
        assertThat(DatabaseBoundary.extension(
                        SqlFile.of(SCRIPT, "create extension Pg_Trgm").last()))
                .isEqualTo("CREATE EXTENSION \"pg_trgm\"");
        assertThatThrownBy(() -> SqlFile.of(SCRIPT, "CREATE EXTENSION pg_trgm VERSION '1.3'"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("CREATE EXTENSION has VERSION");
    }

    @Test
    void aNameWithUnicodeEscapesIsRefused() {
        assertThatThrownBy(() -> SqlFile.of(SCRIPT, "SELECT U&\"pg_read_f\\0069le\"('/etc/passwd')"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a name with Unicode escapes");
    }

    @Test
    void aScriptThatCannotBeSplitIntoStatementsIsAlsoChecked() {
        assertThatThrownBy(() -> DatabaseBoundary.require(SCRIPT, "SELECT $1;\nDROP DATABASE shop;"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("DROP DATABASE");
        DatabaseBoundary.require(SCRIPT, "SELECT $1; CREATE TABLE ${name} (a INT)");
    }

    @Test
    void aSettingOfTheCopyGetsTheNameOfTheCopy() {
        SqlStatement setting = SqlFile.of(SCRIPT, "ALTER DATABASE :DBNAME SET work_mem = '64MB';")
                .withoutParameters()
                .last();
        assertThat(setting.textIn("movr \"lab\""))
                .isEqualTo("ALTER DATABASE \"movr \"\"lab\"\"\" SET work_mem = '64MB'");
    }
}

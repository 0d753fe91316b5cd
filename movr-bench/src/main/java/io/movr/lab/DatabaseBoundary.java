package io.movr.lab;

import io.movr.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The boundary of the database that an experiment runs in. A script may do there what it likes; statements that reach other
 * databases, the server, its files or its roles are refused when the script is read, before the first statement runs. What a
 * script puts together at run time is not seen here: the rights of the {@linkplain io.movr.database.CopyOwner owner of the copy}
 * refuse that.
 */
final class DatabaseBoundary {

    private static final String CREATE = "(?:create|create or replace|alter|drop) ";

    /** Kinds of objects that belong to the server, or lead out of the database. */
    private static final String OUTSIDE =
            "(?:database|role|user|group|tablespace|system|subscription|server|foreign data wrapper"
                    + "|foreign table|(?:trusted )?(?:procedural )?language|access method|changefeed|schedule|external connection|tenant"
                    + "|virtual cluster|range|backup|job)\\b";

    /** How the commands begin, as their words. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:" + CREATE + OUTSIDE + "|import foreign schema|reassign owned|drop owned"
                    + "|(?:set|reset) (?:session |local )?(?:role|authorization|cluster setting|database|session authorization)\\b"
                    + "|use\\b|load\\b|backup\\b|restore\\b|import\\b|export\\b|(?:cancel|pause|resume) "
                    + "|(?:comment|security label(?: for \\w+)?) on (?:database|role|tablespace|server|subscription)\\b)");

    /** Commands in the body of a function or of DO, where they stand anywhere, also in strings. */
    private static final Pattern IN_BODY = Pattern.compile("\\b(?:" + CREATE + OUTSIDE
            + "|import foreign schema\\b|reassign owned\\b|drop owned\\b|set (?:session |local )?(?:role|session authorization)\\b"
            + "|alter system\\b|copy [^;]*?(?:from|to) (?:program|'))");

    private static final Pattern FUNCTION =
            Pattern.compile("dblink\\w*|lo_import|lo_export|lo_unlink_all|pg_read_\\w*file"
                    + "|pg_read_server_files|pg_ls_\\w+|pg_stat_file|pg_file_\\w+|pg_terminate_backend|pg_cancel_backend|pg_reload_conf"
                    + "|pg_rotate_logfile\\w*|pg_promote|pg_switch_wal|pg_create_restore_point|pg_backup_st\\w+|pg_wal_replay_\\w+"
                    + "|pg_(?:create|drop|copy)_(?:physical|logical)_replication_slot|pg_drop_replication_slot"
                    + "|pg_replication_origin_\\w+|pg_stat_statements_reset");

    private static final Pattern ROLE_BY_FUNCTION = Pattern.compile(
            "set_config\\s*\\(\\s*e?'\\s*(?:role|session_authorization)\\s*'", Pattern.CASE_INSENSITIVE);

    private static final Pattern BODY =
            Pattern.compile("do\\b.*|create (?:or replace )?(?:function|procedure|trigger|rule|event trigger)\\b.*");
    private static final Pattern COMMENT = Pattern.compile("--[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);

    private static final Pattern EXTENSION =
            Pattern.compile("create extension (?:if not exists )?(\\S+).*", Pattern.DOTALL);
    private static final Pattern REACHING_EXTENSION = Pattern.compile(
            "dblink|\\w+_fdw|adminpack|pg_cron|pg_background|pl\\w*u|pageinspect|pg_surgery|pglogical|http|aws_\\w+|pgagent");

    /** Owners and privileges, which a dump sets for roles of its own. */
    private static final Pattern PASSED_OVER = Pattern.compile("alter .* owner to \\S+|alter default privileges .*"
            + "|(?:grant|revoke) .* on .*|comment on extension .*");

    private static final Pattern SHARED_PRIVILEGE = Pattern.compile(
            "(?:grant|revoke) .* on (?:database|tablespace|foreign|parameter|language|system|external)\\b.*");
    private static final Pattern PRIVILEGE = Pattern.compile("(?:grant|revoke)\\b.*");
    private static final Pattern OWN_SETTING = Pattern.compile("alter database (?!rename|owner)(?:(?! to ).)*");

    private DatabaseBoundary() {}

    /**
     * Refuses a statement that reaches outside its database.
     *
     * @param where the script stands, for the message
     * @throws UserError naming the script, the line and the command
     */
    static void require(Path where, SqlStatement statement) {
        crossing(statement).ifPresent(command -> {
            throw refusal(where, statement.line(), command);
        });
    }

    /**
     * Refuses a script of another tool that reaches outside its database.
     *
     * @param where the script stands, for the message
     * @throws UserError naming the script, the line and the command
     */
    static void require(Path where, String script) {
        List<SqlStatement> statements;
        try {
            statements = SqlStatement.of(script);
        } catch (IllegalArgumentException unreadable) {
            crossingInBody(script).ifPresent(command -> {
                throw refusal(where, 1, command);
            });
            return;
        }
        statements.forEach(statement -> require(where, statement));
    }

    private static UserError refusal(Path where, int line, String command) {
        String settings = command.startsWith("ALTER DATABASE")
                ? ", or write ALTER DATABASE :DBNAME SET … for a setting of the copy"
                : "";
        return new UserError(
                where + ", line " + line + ": " + command + " reaches outside the database of the experiment,"
                        + " so none of its scripts was run: remove the statement" + settings);
    }

    /** Whether it sets owners or privileges of objects, for roles that a copy does not need. */
    static boolean isPassedOver(SqlStatement statement) {
        return PASSED_OVER.matcher(words(statement)).matches();
    }

    static boolean installsExtension(SqlStatement statement) {
        return EXTENSION.matcher(words(statement)).matches();
    }

    private static String words(SqlStatement statement) {
        return String.join(" ", statement.words()).toLowerCase(Locale.ROOT);
    }

    private static Optional<String> crossing(SqlStatement statement) {
        String words = words(statement);
        if (statement.parameters().equals(List.of(SqlStatement.DATABASE_NAME))
                && OWN_SETTING.matcher(words).matches()) {
            return Optional.empty();
        }
        Matcher command = COMMAND.matcher(words);
        if (command.lookingAt()) {
            return Optional.of(named(command.group()));
        }
        if (words.startsWith("copy ") && !words.matches("copy .* from stdin\\b.*")) {
            return Optional.of("COPY of a file or a program");
        }
        if (PRIVILEGE.matcher(words).matches()
                && (SHARED_PRIVILEGE.matcher(words).matches() || !isPassedOver(statement))) {
            return Optional.of(named(statement.words().get(0)) + " of a role, or on what the server has");
        }
        Matcher extension = EXTENSION.matcher(words);
        if (extension.matches()
                && REACHING_EXTENSION.matcher(extension.group(1)).matches()) {
            return Optional.of("CREATE EXTENSION " + extension.group(1));
        }
        Optional<String> function = statement.words().stream()
                .filter(word -> FUNCTION.matcher(word).matches())
                .findFirst();
        if (function.isPresent()) {
            return function;
        }
        return BODY.matcher(words).matches()
                ? crossingInBody(statement.text())
                : ROLE_BY_FUNCTION.matcher(statement.text()).find()
                        ? Optional.of("set_config('role', …)")
                        : Optional.empty();
    }

    private static Optional<String> crossingInBody(String text) {
        String body =
                COMMENT.matcher(text).replaceAll(" ").toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        Matcher command = IN_BODY.matcher(body);
        if (command.find()) {
            return Optional.of(named(command.group()));
        }
        if (ROLE_BY_FUNCTION.matcher(body).find()) {
            return Optional.of("set_config('role', …)");
        }
        return Pattern.compile("\\w+")
                .matcher(body)
                .results()
                .map(word -> word.group())
                .filter(word -> FUNCTION.matcher(word).matches())
                .findFirst();
    }

    private static String named(String command) {
        return command.strip().toUpperCase(Locale.ROOT);
    }
}

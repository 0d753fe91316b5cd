package io.movr.lab;

import io.movr.UserError;
import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The boundary of the database that an experiment runs in. A script may do anything inside. Statements that reach other
 * databases, the server, its files or its roles are refused when the script is read, before the first statement runs.
 * Statements that a script builds at run time are not seen here: the rights of the {@linkplain io.movr.database.CopyOwner
 * owner of the copy} refuse that.
 */
final class DatabaseBoundary {

    private static final String CREATE = "(?:create|create or replace|alter|drop) ";

    /** The kinds of objects that belong to the server, or lead out of the database. */
    private static final String OUTSIDE =
            "(?:database|role|user|group|tablespace|system|subscription|server|foreign data wrapper"
                    + "|foreign table|(?:trusted )?(?:procedural )?language|access method|changefeed|schedule|external connection|tenant"
                    + "|virtual cluster|range|backup|job)\\b";

    /** The first words of the commands. */
    private static final Pattern COMMAND = Pattern.compile(
            "(?:" + CREATE + OUTSIDE + "|import foreign schema|reassign owned|drop owned"
                    + "|(?:set|reset) (?:session |local )?(?:role|authorization|cluster setting|database|session authorization)\\b"
                    + "|prepare transaction\\b|use\\b|load\\b|backup\\b|restore\\b|import\\b|export\\b|(?:cancel|pause|resume) "
                    + "|(?:comment|security label(?: for \\w+)?) on (?:database|role|tablespace|server|subscription)\\b)");

    /** The commands in the body of a function or of DO, in any place, also in strings. */
    private static final Pattern IN_BODY = Pattern.compile("\\b(?:" + CREATE + OUTSIDE
            + "|import foreign schema\\b|reassign owned\\b|drop owned\\b|set (?:session |local )?(?:role|session authorization)\\b"
            + "|alter system\\b|copy [^;]*?(?:from|to) (?:program|'))");

    private static final Pattern FUNCTION =
            Pattern.compile("dblink\\w*|lo_import|lo_export|lo_unlink_all|pg_read_\\w*file"
                    + "|pg_read_server_files|pg_ls_\\w+|pg_stat_file|pg_file_\\w+|pg_terminate_backend|pg_cancel_backend|pg_reload_conf"
                    + "|pg_rotate_logfile\\w*|pg_promote|pg_switch_wal|pg_create_restore_point|pg_backup_st\\w+|pg_st(?:art|op)_backup"
                    + "|pg_wal_replay_\\w+|pg_stat_reset\\w*|pg_logical_slot_\\w+|pg_replication_slot_advance"
                    + "|pg_(?:create|drop|copy)_(?:physical|logical)_replication_slot|pg_drop_replication_slot"
                    + "|pg_replication_origin_\\w+|pg_stat_statements_reset");

    private static final Pattern ROLE_BY_FUNCTION = Pattern.compile(
            "set_config\\s*\\(\\s*e?'\\s*(?:role|session_authorization)\\s*'", Pattern.CASE_INSENSITIVE);

    private static final Pattern BODY =
            Pattern.compile("do\\b.*|create (?:or replace )?(?:function|procedure|trigger|rule|event trigger)\\b.*");

    /** The setting with which strings would end elsewhere than the scanner says. */
    private static final String STRING_SETTING = "standard_conforming_strings";

    private static final Pattern STRING_SETTING_ON = Pattern.compile(
            "set (?:session |local )?standard_conforming_strings\\s*(?:=|to)\\s*'?on'?", Pattern.CASE_INSENSITIVE);

    private static final Pattern EXTENSION =
            Pattern.compile("create extension (?:if not exists )?(\\S+).*", Pattern.DOTALL);
    private static final Pattern REACHING_EXTENSION = Pattern.compile(
            "dblink|\\w+_fdw|adminpack|pg_cron|pg_background|pg_walinspect|plsh|plr|pljava|pl\\w*u|pageinspect|pg_surgery|pglogical|http|aws_\\w+|pgagent");

    /** The statements that set owners and privileges, which a dump has for its own roles. */
    private static final Pattern PASSED_OVER = Pattern.compile("alter .* owner to \\S+|alter default privileges .*"
            + "|(?:grant|revoke) .* on .*|comment on extension .*");

    private static final Pattern SHARED_PRIVILEGE = Pattern.compile(
            "(?:grant|revoke) .* on (?:database|tablespace|foreign|parameter|language|system|external)\\b.*");
    private static final Pattern PRIVILEGE = Pattern.compile("(?:grant|revoke)\\b.*");
    private static final Pattern OWN_SETTING = Pattern.compile("alter database (?:set|reset) .*");

    private DatabaseBoundary() {}

    /**
     * Refuses a statement that reaches outside its database.
     *
     * @param where the file or place of the script, for the message
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
     * @param where the file or place of the script, for the message
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

    /** Returns whether the statement sets owners or privileges of objects, which a copy does not need. */
    static boolean isPassedOver(SqlStatement statement) {
        return PASSED_OVER.matcher(words(statement)).matches();
    }

    static boolean installsExtension(SqlStatement statement) {
        return EXTENSION.matcher(words(statement)).matches();
    }

    /**
     * Rewrites a statement that installs an extension. It runs with more rights than the script, so no text of the script
     * is sent.
     *
     * @throws IllegalArgumentException if it says more than name, schema and CASCADE
     */
    static String extension(SqlStatement statement) {
        Iterator<String> words = statement.words().iterator();
        StringBuilder text = new StringBuilder();
        while (words.hasNext()) {
            String word = words.next();
            switch (word) {
                case "create", "if", "not", "cascade" ->
                    text.append(word.toUpperCase(Locale.ROOT)).append(' ');
                case "with" -> {}
                case "extension", "exists", "schema" -> {
                    text.append(word.toUpperCase(Locale.ROOT)).append(' ');
                    boolean named = !word.equals("extension")
                            || !statement.words().get(2).equals("if");
                    if (named && words.hasNext()) {
                        text.append('"')
                                .append(words.next().replace("\"", "\"\""))
                                .append("\" ");
                    }
                }
                default ->
                    throw new IllegalArgumentException("CREATE EXTENSION has " + word.toUpperCase(Locale.ROOT)
                            + ", and only a name, SCHEMA and CASCADE are supported: remove the rest (line "
                            + statement.line() + ")");
            }
        }
        return text.toString().strip();
    }

    private static String words(SqlStatement statement) {
        return String.join(" ", statement.words()).toLowerCase(Locale.ROOT);
    }

    private static Optional<String> crossing(SqlStatement statement) {
        String words = words(statement);
        if (statement.text().toLowerCase(Locale.ROOT).contains(STRING_SETTING)
                && !(words.startsWith("set ")
                        && STRING_SETTING_ON.matcher(statement.text()).find())) {
            return Optional.of(STRING_SETTING + ", which decides where strings end and what");
        }
        if (statement.parameters().equals(List.of(SqlStatement.DATABASE_NAME))
                && OWN_SETTING.matcher(words).matches()) {
            return Optional.empty();
        }
        Matcher command = COMMAND.matcher(words);
        if (command.lookingAt()) {
            return Optional.of(named(command.group()));
        }
        if (words.startsWith("copy ") && statement.copyData() == null) {
            return Optional.of("COPY of a file or a program");
        }
        if (PRIVILEGE.matcher(words).matches()
                && (SHARED_PRIVILEGE.matcher(words).matches() || !isPassedOver(statement))) {
            return Optional.of(named(statement.words().get(0)) + " of a role, or on what the server has");
        }
        if (installsExtension(statement)) {
            extension(statement);
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
        String body = withoutComments(text).toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
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

    /** Removes the comments of a text and of the dollar quotes in it. A text that cannot be read keeps them. */
    private static String withoutComments(String text) {
        List<Token> tokens;
        try {
            tokens = SqlScanner.tokens(text);
        } catch (IllegalArgumentException unreadable) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        for (Token token : tokens) {
            String part = token.in(text);
            if (token.kind() == Kind.DOLLAR_STRING) {
                int quote = part.indexOf('$', 1) + 1;
                kept.append(part, 0, quote)
                        .append(withoutComments(part.substring(quote, part.length() - quote)))
                        .append(part, part.length() - quote, part.length());
            } else {
                kept.append(token.kind() == Kind.COMMENT ? " " : part);
            }
        }
        return kept.toString();
    }

    private static String named(String command) {
        return command.strip().toUpperCase(Locale.ROOT);
    }
}

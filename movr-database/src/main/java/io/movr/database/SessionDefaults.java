package io.movr.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings that PostgreSQL gives each new session of a database or a role ({@code ALTER DATABASE … SET},
 * {@code ALTER ROLE … SET}). {@code CREATE DATABASE … TEMPLATE} does not copy them, and a plan depends on them.
 */
final class SessionDefaults {

    /** From the most general to the most specific, which wins. */
    private static final String OF_DATABASE = """
            SELECT role.rolname, split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1),
                setdatabase = 0 FROM pg_db_role_setting
            LEFT JOIN pg_database AS database ON database.oid = setdatabase LEFT JOIN pg_roles AS role ON role.oid = setrole,
            unnest(setconfig) AS setting
            -- It protects the source, and copies are there to be changed.
            WHERE setting NOT LIKE 'default_transaction_read_only=%'
                AND (datname = ? AND (setrole = 0 OR rolname = session_user) OR setdatabase = 0 AND rolname = session_user)
            ORDER BY setdatabase = 0 DESC, setrole = 0 DESC""";

    /** Settings whose value is a list, which is stored with its quotes. */
    private static final List<String> LISTS =
            List.of("search_path", "session_preload_libraries", "local_preload_libraries", "temp_tablespaces");

    private static final Pattern NAME = Pattern.compile("\"((?:[^\"]|\"\")*)\"|[^\\s,]+");

    private SessionDefaults() {}

    /**
     * Gives a database the settings that sessions of the connection's user have in another one.
     *
     * @param owner the role that will connect to the copy; {@code null} if the same user will
     * @return the names of the settings that the user may not set
     */
    static List<String> copy(Connection server, String from, String to, @Nullable String owner) throws SQLException {
        List<String> refused = new ArrayList<>();
        for (List<String> setting : Rows.query(server, OF_DATABASE, List.of(from))) {
            boolean everybody = setting.get(0).equals(Rows.NOTHING);
            boolean everywhere = setting.get(3).equals("true");
            if (everywhere && owner == null) {
                // The same user brings them along.
                continue;
            }
            String role = owner == null ? "session_user" : owner;
            String target = everybody ? "DATABASE " + quoted(to) : "ROLE " + role + " IN DATABASE " + quoted(to);
            String value = LISTS.contains(setting.get(1)) ? names(setting.get(2)) : literal(setting.get(2));
            try {
                Rows.execute(server, "ALTER " + target + " SET " + quoted(setting.get(1)) + " = " + value);
            } catch (SQLException failed) {
                if (!SqlState.INSUFFICIENT_PRIVILEGE.equals(failed.getSQLState())) {
                    throw failed;
                }
                refused.add(setting.get(1));
            }
        }
        return refused;
    }

    /** Returns a list with each of its names in quotes: without them a name may contain whatever is no space and no comma. */
    private static String names(String list) {
        String quoted = NAME.matcher(list)
                .results()
                .map(name -> name.group(1) == null ? quoted(name.group().toLowerCase(Locale.ROOT)) : name.group())
                .collect(Collectors.joining(", "));
        return quoted.isEmpty() ? "''" : quoted;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String literal(String value) {
        return "E'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}

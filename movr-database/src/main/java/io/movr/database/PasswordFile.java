package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Reads a connection's password from a file in the format of libpq's <a
 * href="https://www.postgresql.org/docs/current/libpq-pgpass.html">password file</a>. The driver creates an instance for each
 * connection whose address has the parameter {@code passfile}, and calls it only if the server requires a password; {@link
 * Gateway} adds the parameter that names this class, unless the address has a {@code password}.
 *
 * <p>If an address names several hosts, the password of the first host with a line in the file is used.
 */
public final class PasswordFile implements AuthenticationPlugin {

    /** The parameter of an address that names the file, as libpq calls it. */
    static final String PARAMETER = "passfile";

    private static final String FIELD = "((?:\\\\.|[^:\\\\])*+)";
    private static final Pattern LINE = Pattern.compile(String.join(":", FIELD, FIELD, FIELD, FIELD, FIELD) + ".*");
    private static final Set<PosixFilePermission> OF_OTHERS = Set.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final Properties connection;

    /** For one connection, with the parameters of its address. */
    public PasswordFile(Properties connection) {
        this.connection = connection;
    }

    /** Returns the line of a file that holds the password of a user, for any host, port and database. */
    static String line(String user, String password) {
        return "*:*:*:" + escaped(user) + ":" + escaped(password) + "\n";
    }

    /**
     * Reads the password.
     *
     * @return {@code null} if the address names no file
     * @throws PSQLException if the file is missing, may be read by other users, or has no line for the connection
     */
    @Override
    public char @Nullable [] getPassword(AuthenticationRequestType type) throws PSQLException {
        String file = connection.getProperty(PARAMETER);
        if (file == null) {
            return null;
        }
        String database = value(PGProperty.PG_DBNAME);
        String user = value(PGProperty.USER);
        List<String> hosts = List.of(value(PGProperty.PG_HOST).split(",", -1));
        List<String> ports = List.of(value(PGProperty.PG_PORT).split(",", -1));
        List<String> lines = lines(file);
        for (int host = 0; host < hosts.size(); host++) {
            String port = ports.get(Math.min(host, ports.size() - 1));
            Optional<String> password = find(lines, hosts.get(host), port, database, user);
            if (password.isPresent()) {
                return password.get().toCharArray();
            }
        }
        throw refusal("The password file '" + file + "' has no line for user '" + user + "' of database '" + database
                + "' at " + String.join(", ", hosts) + ": add one, host:port:database:user:password");
    }

    /** Returns the password of the first line that fits. */
    static Optional<String> find(List<String> lines, String host, String port, String database, String user) {
        List<String> wanted = List.of(host, port, database, user);
        for (String line : lines) {
            Matcher fields = LINE.matcher(line);
            if (!line.startsWith("#") && fields.matches()) {
                boolean fits = true;
                for (int field = 0; field < wanted.size(); field++) {
                    String pattern = fields.group(field + 1);
                    fits &= pattern.equals("*") || unescaped(pattern).equals(wanted.get(field));
                }
                if (fits) {
                    return Optional.of(unescaped(fields.group(wanted.size() + 1)));
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> lines(String name) throws PSQLException {
        try {
            Path file = Path.of(name);
            if (!Files.isRegularFile(file)) {
                throw new NoSuchFileException(name);
            }
            PosixFileAttributeView posix = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (posix != null && posix.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains)) {
                throw refusal("The password file '" + name + "' is open to other users: run chmod 600 on it");
            }
            return Files.readAllLines(file);
        } catch (NoSuchFileException | InvalidPathException missing) {
            throw refusal("There is no password file '" + name + "': correct passfile in the address");
        } catch (IOException unreadable) {
            throw refusal("The password file '" + name + "' cannot be read (" + UserError.firstLine(unreadable) + ")");
        }
    }

    private static PSQLException refusal(String message) {
        return new PSQLException(message, PSQLState.INVALID_PASSWORD);
    }

    private String value(PGProperty property) {
        String value = property.getOrDefault(connection);
        return value == null ? "" : value;
    }

    private static String escaped(String text) {
        return text.replaceAll("[:\\\\]", "\\\\$0");
    }

    private static String unescaped(String field) {
        return field.replaceAll("\\\\(.)", "$1");
    }
}

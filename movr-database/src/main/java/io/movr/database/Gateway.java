package io.movr.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.movr.UserError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;

/**
 * The endpoint through which an application reaches a database: a PostgreSQL JDBC address.
 *
 * @param url {@code jdbc:postgresql://host:port/database?parameters}, or {@code postgresql://user@host:port/database} as
 *     {@code cockroach} and libpq write it, or {@code env:NAME}, the environment variable that holds one of these. It may
 *     hold a password and is therefore shown only as {@link #shown()}, and given to other processes only in their
 *     environment; or it names a {@link PasswordFile} in the parameter {@code passfile}, which the driver then reads
 */
public record Gateway(String url) {

    /** The address for a child process that has {@link #forChild} in its environment. */
    public static final String OF_PARENT = "env:MOVR_URL";

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Pattern ENDPOINT_PARAMETER =
            Pattern.compile("(?:PGHOST|host|PGPORT|port|PGDBNAME|dbname)(?:=.*)?");
    private static final Pattern SECRETS = Pattern.compile("(?i)((?:ssl)?password=)[^&]*|(?<=//)[^:@?]*:[^?]*@");
    /** The loggers that quote parts of a malformed address, such as a password. */
    private static final List<Logger> QUOTING = Stream.of("org.postgresql.Driver", "org.postgresql.util.PGPropertyUtil")
            .map(Logger::getLogger)
            .toList();

    static {
        QUOTING.forEach(logger -> logger.setLevel(Level.OFF));
    }

    /** The user information, which the driver reads as a part of the host or database name. */
    private static final Pattern USER_INFO = Pattern.compile("jdbc:postgresql:(?://[^/?]*@|(?!//)[^?]*@)");

    private static final Pattern PARAMETERS = Pattern.compile("(?is)([?&;\\s]|pass|pwd|secret).*");
    private static final Pattern NO_PORT = Pattern.compile(":(?!\\d{1,5}(?:[/,…]|$))[^/]*");
    private static final Pattern LIBPQ =
            Pattern.compile("postgres(?:ql)?://(?:([^:@/?]*)(?::([^@/?]*))?@)?([^/?]*(?:/[^?]*)?)(?:\\?(.*))?");
    private static final Pattern PASSWORD_FILE = Pattern.compile("[?&]" + PasswordFile.PARAMETER + "=");
    private static final Pattern PASSWORD = Pattern.compile("[?&]password=");
    private static final Pattern LIMITS =
            Pattern.compile("[?&](?:connectTimeout|loginTimeout|socketTimeout|sslResponseTimeout)=");
    private static final String READS_FILE =
            "&" + PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME.getName() + "=" + PasswordFile.class.getName();
    private static final String VARIABLE = "env:";
    private static final int CONNECT_TIMEOUT_SECONDS = 10;

    /** The parameter in which CockroachDB reports its version to each session. */
    private static final String COCKROACH_VERSION = "crdb_version";

    /** Settings that a role, a database or a server may have for applications, unless the address sets them. */
    private static final String LIFT_LIMITS = """
            SELECT set_config(name, '0', false)
            FROM pg_settings
            WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout',
                    'idle_in_transaction_session_timeout', 'idle_session_timeout')
              AND setting <> '0' AND source NOT IN ('client', 'session')""";

    public Gateway {
        String given = url;
        url = asJdbc(url.startsWith(VARIABLE) ? variable(url.substring(VARIABLE.length())) : url);
        Properties parsed = url.startsWith(SCHEME) ? Driver.parseURL(url, new Properties()) : null;
        if (parsed == null || USER_INFO.matcher(url).lookingAt()) {
            // What a variable holds may be anything, such as a password.
            throw new UserError("'" + (given.startsWith(VARIABLE) ? given : outline(given))
                    + "' is no PostgreSQL address: write jdbc:postgresql://host:port/database?user=name");
        }
        url = url.replace(READS_FILE, "");
        // A password comes first, as in libpq.
        if (PASSWORD_FILE.matcher(url).find()
                && !PASSWORD.matcher(url).find()
                && !url.contains(PGProperty.AUTHENTICATION_PLUGIN_CLASS_NAME.getName())) {
            url += READS_FILE;
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new UserError("There is no environment variable '" + name + "': set it to the database's address");
        }
        return value;
    }

    private static String asJdbc(String url) {
        var matcher = LIBPQ.matcher(url);
        if (!matcher.matches()) {
            return url;
        }
        String user = matcher.group(1) == null || matcher.group(1).isEmpty()
                ? ""
                : "&user=" + matcher.group(1).replace("+", "%2B");
        String password =
                matcher.group(2) == null ? "" : "&password=" + matcher.group(2).replace("+", "%2B");
        String parameters = (matcher.group(4) == null ? "" : "&" + matcher.group(4)) + user + password;
        String path = matcher.group(3).contains("/") ? "" : "/";
        return SCHEME + "//" + matcher.group(3) + path + (parameters.isEmpty() ? "" : "?" + parameters.substring(1));
    }

    /** Returns the same endpoint, leading to another database. */
    public Gateway toDatabase(String database) {
        return leadingTo(host(), property(PGProperty.PG_PORT, "5432"), database);
    }

    /**
     * Returns the same database, reached through a port of this machine that leads to its server.
     *
     * @throws UserError if the address cannot be led there, so that nothing passes by that port unnoticed
     */
    public Gateway through(int port) {
        if (!property(PGProperty.SOCKET_FACTORY, "").isEmpty()) {
            throw new UserError("'" + shown()
                    + "' has a socketFactory, which itself decides where a connection leads: leave it out");
        }
        return leadingTo("127.0.0.1", Integer.toString(port), database());
    }

    /**
     * Returns the same parameters with another endpoint, in the form that names host, port and database. Parameters and a
     * service may name these too and would win, therefore the driver's reading of the result decides.
     */
    private Gateway leadingTo(String hosts, String ports, String database) {
        String[] host = hosts.split(",", -1);
        String[] port = ports.split(",", -1);
        String endpoints = IntStream.range(0, host.length)
                .mapToObj(index -> bracketed(host[index]) + ":" + port[index])
                .collect(Collectors.joining(","));
        int question = url.indexOf('?');
        String parameters = question < 0
                ? ""
                : Arrays.stream(url.substring(question + 1).split("&"))
                        .filter(parameter ->
                                !ENDPOINT_PARAMETER.matcher(parameter).matches())
                        .collect(Collectors.joining("&"));
        String leading =
                SCHEME + "//" + endpoints + "/" + encoded(database) + (parameters.isEmpty() ? "" : "?" + parameters);
        Properties wanted = Objects.requireNonNull(Driver.parseURL(url, new Properties()));
        PGProperty.PG_HOST.set(
                wanted, Arrays.stream(host).map(Gateway::bracketed).collect(Collectors.joining(",")));
        PGProperty.PG_PORT.set(wanted, ports);
        PGProperty.PG_DBNAME.set(wanted, database);
        Properties read = Driver.parseURL(leading, new Properties());
        if (read != null) {
            read.putIfAbsent(PGProperty.PG_DBNAME.getName(), "");
        }
        if (!wanted.equals(read)) {
            throw new UserError(
                    "'" + shown() + "' names no host and port: write jdbc:postgresql://host:port/database?user=name");
        }
        return new Gateway(leading);
    }

    private static String bracketed(String host) {
        if (host.isEmpty()) {
            return "localhost";
        }
        return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    }

    /** As libpq reads it: there a plus sign is no space. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the same endpoint, whose password the driver reads from a file when it connects. */
    Gateway withPasswordFile(Path file) {
        String name = encoded(file.toString()).replace("%2F", "/");
        return new Gateway(url + (url.contains("?") ? "&" : "?") + PasswordFile.PARAMETER + "=" + name);
    }

    /** Returns the same endpoint, with more start-up options for each session, such as {@code -c name=value}. */
    public Gateway withOptions(String more) {
        String before = property(PGProperty.OPTIONS, "");
        return with(PGProperty.OPTIONS, (before + " " + more).strip());
    }

    /**
     * Returns the same endpoint of PostgreSQL for a database in which somebody else's scripts have run: names without a
     * schema mean objects of the server only, so that no function of the database is called in place of one of these.
     */
    public Gateway trusting() {
        return withOptions("-c search_path=pg_catalog");
    }

    /** Returns the same endpoint with one of its parameters set, whatever it was. */
    public Gateway with(PGProperty parameter, String value) {
        String rest = without(parameter).url();
        return new Gateway(rest + (rest.contains("?") ? "&" : "?") + parameter.getName() + "="
                + URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    /**
     * Returns the same endpoint, whose connections do not wait longer than this; at least a second each, in whole seconds.
     *
     * @param connect for a connection, the login included
     * @param answer for an answer to a statement
     */
    public Gateway withLimits(Duration connect, Duration answer) {
        String connectSeconds = Long.toString(connect.toSeconds());
        return with(PGProperty.SOCKET_TIMEOUT, Long.toString(answer.toSeconds()))
                .with(PGProperty.CONNECT_TIMEOUT, connectSeconds)
                .with(PGProperty.LOGIN_TIMEOUT, connectSeconds);
    }

    /**
     * The same endpoint with the login timeout as its only timeout, unless the address sets timeouts or names several hosts. A
     * socket of Java that was connected, or has once read, with a limit waits in {@code poll} before every read from then on,
     * which costs two more system calls for each answer.
     */
    public Gateway withLimitOfLoginOnly() {
        if (LIMITS.matcher(url).find() || host().contains(",")) {
            return this;
        }
        return with(PGProperty.CONNECT_TIMEOUT, "0")
                .with(PGProperty.SSL_RESPONSE_TIMEOUT, "0")
                .with(PGProperty.LOGIN_TIMEOUT, Integer.toString(CONNECT_TIMEOUT_SECONDS));
    }

    /**
     * Returns the same endpoint without one of its parameters, which would otherwise override settings outside the address.
     */
    public Gateway without(PGProperty parameter) {
        return without(parameter.getName());
    }

    /** Returns the same endpoint with neither a password nor the file of one. */
    public Gateway withoutPassword() {
        return without(PGProperty.PASSWORD).without(PasswordFile.PARAMETER);
    }

    private Gateway without(String parameter) {
        String bare = Pattern.compile("([?&])" + Pattern.quote(parameter) + "=[^&]*&?")
                .matcher(url)
                .replaceAll("$1");
        return new Gateway(bare.endsWith("?") || bare.endsWith("&") ? bare.substring(0, bare.length() - 1) : bare);
    }

    /** Returns the host of the endpoint. */
    public String host() {
        String host = property(PGProperty.PG_HOST, "");
        // jdbc:postgresql:///database
        return host.isEmpty() ? "localhost" : host;
    }

    /**
     * Returns the port of the endpoint.
     *
     * @throws UserError if the address names several hosts
     */
    public int port() {
        String port = property(PGProperty.PG_PORT, "5432");
        if (port.contains(",")) {
            throw new UserError("'" + shown() + "' names several hosts: name one, to which a link can lead");
        }
        return Integer.parseInt(port);
    }

    /** Returns the database that the address leads to. */
    public String database() {
        return property(PGProperty.PG_DBNAME, "");
    }

    /** Returns the same endpoint for programs that are built upon libpq, such as psql and pgbench: their environment. */
    public Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>(Map.of(
                "PGHOST", host(),
                "PGPORT", property(PGProperty.PG_PORT, "5432"),
                "PGDATABASE", database(),
                "PGUSER", property(PGProperty.USER, System.getProperty("user.name"))));
        variables.put("PGPASSWORD", "");
        variables.putAll(password());
        return variables;
    }

    /**
     * Returns the part of {@link #environment()} that says the password, or where it is; empty if the address does not say
     * it.
     */
    public Map<String, String> password() {
        Properties parsed = Objects.requireNonNull(Driver.parseURL(url, new Properties()));
        String file = parsed.getProperty(PasswordFile.PARAMETER);
        if (file != null && !PASSWORD.matcher(url).find()) {
            // A password that the parent process has for another server would come before the file.
            return Map.of("PGPASSFILE", file, "PGPASSWORD", "");
        }
        String password = PGProperty.PASSWORD.getOrDefault(parsed);
        return password == null ? Map.of() : Map.of("PGPASSWORD", password);
    }

    /** Returns the same endpoint as an address of libpq, for programs that get the {@link #password()} in their environment. */
    public String libpq() {
        Gateway bare = without(PGProperty.PASSWORD).without(PGProperty.SSL_PASSWORD);
        return bare.url.replace(READS_FILE, "").substring("jdbc:".length());
    }

    /** Returns the environment of a child process that is given {@link #OF_PARENT} as its address. */
    public Map<String, String> forChild() {
        return Map.of(OF_PARENT.substring(VARIABLE.length()), url);
    }

    /** Returns the address without its secrets. */
    public String shown() {
        return masked(url).replace(READS_FILE, "");
    }

    /** Returns the address as results keep it, which other people read: neither a password nor where the file of one lies. */
    public String recorded() {
        return without(PasswordFile.PARAMETER).shown();
    }

    /**
     * Returns the parts of a malformed address that hold no password: its scheme, and the text between the last {@code @} and
     * the parameters.
     */
    private static String outline(String text) {
        int scheme = text.contains("://") ? text.indexOf("://") + 3 : 0;
        int host = Math.max(scheme, text.lastIndexOf('@'));
        String rest = PARAMETERS.matcher(text.substring(host)).replaceFirst("…");
        // What looks like a port and is none may be a password.
        String shown = NO_PORT.matcher(rest).replaceAll(":…");
        return text.substring(0, scheme) + (host > scheme ? "…" : "") + shown;
    }

    /** Returns a word of a command line without the passwords of an address in it. */
    public static String masked(String word) {
        return SECRETS.matcher(word).replaceAll("$1***");
    }

    @Override
    public String toString() {
        return shown();
    }

    /**
     * Opens one connection outside any pool.
     *
     * @throws UserError when the server cannot be reached or refuses, saying why
     */
    public Connection connect() {
        return connect("movr");
    }

    /** Opens one connection outside any pool, with a name that the server shows for its session. */
    public Connection connect(String name) {
        try {
            Properties properties = new Properties();
            PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_TIMEOUT_SECONDS);
            PGProperty.APPLICATION_NAME.set(properties, name);
            Connection connection = new Driver().connect(url, properties);
            if (connection == null) {
                throw new UserError("'" + shown() + "' is no PostgreSQL address");
            }
            if (isPostgres(connection)) {
                liftLimits(connection);
            }
            return connection;
        } catch (SQLException refused) {
            throw new UserError("Cannot connect to " + shown() + ": " + advised(UserError.firstLine(refused)), refused);
        }
    }

    private static boolean isPostgres(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getParameterStatus(COCKROACH_VERSION) == null;
    }

    /** Removes the timeouts of application statements: a load, a migration or a measurement takes longer. */
    private static void liftLimits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(LIFT_LIMITS);
        } catch (SQLException failed) {
            throw Closeables.closeAfter(failed, connection);
        }
    }

    /** Returns the driver's message with what to do, if the message does not say so. */
    static String advised(String message) {
        return message.startsWith("Could not read SSL key file")
                ? message + " It takes a key in PKCS-8, which 'cockroach cert create-client"
                        + " --also-generate-pkcs8-key' writes as well"
                : message;
    }

    /**
     * Returns a pool of connections, configured as the application's own.
     *
     * @param name what the pool is called in logs, metrics and on the server
     * @param size number of connections, all of them open from the start
     */
    public HikariDataSource pool(String name, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setPoolName(name);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(CONNECT_TIMEOUT_SECONDS));
        config.setMaxLifetime(TimeUnit.MINUTES.toMillis(30));
        config.addDataSourceProperty(PGProperty.APPLICATION_NAME.getName(), name);
        try (Connection first = connect(name)) {
            if (isPostgres(first)) {
                config.setConnectionInitSql(LIFT_LIMITS);
            }
        } catch (SQLException failed) {
            throw new UserError("Cannot connect to " + shown() + ": " + UserError.firstLine(failed), failed);
        }
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new UserError("Cannot connect to " + shown() + ": " + UserError.firstLine(cause), failed);
        }
    }

    private String property(PGProperty property, String otherwise) {
        Properties parsed = Driver.parseURL(url, new Properties());
        String value = parsed == null ? null : property.getOrDefault(parsed);
        return value == null ? otherwise : value;
    }
}

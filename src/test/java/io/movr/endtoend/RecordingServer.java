package io.movr.endtoend;

import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks PostgreSQL's protocol and says that it is CockroachDB. It executes nothing: it records each statement,
 * and answers with rows that a test gives it, or with none.
 */
final class RecordingServer implements AutoCloseable {

    /** What a statement that a test knows answers. A column's name may end with its type, such as {@code replicas:int[]}. */
    record Answer(List<String> columns, List<List<@Nullable String>> rows) {

        static Answer of(String columns, String... rows) {
            return new Answer(
                    List.of(columns.split(" ")),
                    Arrays.stream(rows)
                            .map(row -> Arrays.asList(row.split("\t", -1)))
                            .toList());
        }
    }

    private record Rule(Pattern statement, Function<Matcher, @Nullable Answer> answer) {}

    private record Prepared(String sql, List<Integer> types) {}

    private record Bound(
            String sql,
            List<@Nullable String> values,
            @Nullable Answer answer) {}

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int CANCEL_REQUEST = 80877102;
    private static final Map<String, Integer> TYPES =
            Map.of("text", 25, "bool", 16, "bytea", 17, "text[]", 1009, "int[]", 1016);

    /** What the driver sends when it connects. */
    private static final Set<String> OF_DRIVER = Set.of("SET extra_float_digits = 3");

    private final ServerSocket server;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    RecordingServer() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept, "recording-server");
        accepting.setDaemon(true);
        accepting.start();
    }

    String url(String database) {
        return "postgresql://root@127.0.0.1:" + server.getLocalPort() + "/" + database + "?sslmode=disable";
    }

    /** Answers statements that contain a regular expression. Later answers come before earlier ones. */
    RecordingServer answering(String statement, Answer answer) {
        return answering(statement, found -> answer);
    }

    RecordingServer answering(String statement, Function<Matcher, @Nullable Answer> answer) {
        rules.add(0, new Rule(Pattern.compile(statement, Pattern.DOTALL), answer));
        return this;
    }

    /** The statements since the server started, in order, with the values of their parameters in place. */
    List<String> statements() {
        return List.copyOf(statements);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                Thread session = new Thread(() -> serve(socket), "recorded-session");
                session.setDaemon(true);
                session.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            new Session(in, new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()))).run();
        } catch (IOException clientLeft) {
            // As clients do.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Closeable socket : open) {
            socket.close();
        }
    }

    /** One connection. */
    private final class Session {

        private final DataInputStream in;
        private final DataOutputStream out;
        private final Map<String, Prepared> prepared = new HashMap<>();
        private final Map<String, Bound> bound = new HashMap<>();
        private boolean inTransaction;

        Session(DataInputStream in, DataOutputStream out) {
            this.in = in;
            this.out = out;
        }

        void run() throws IOException {
            if (!start()) {
                return;
            }
            while (true) {
                int type = in.read();
                if (type < 0 || type == 'X') {
                    return;
                }
                ByteBuffer message = ByteBuffer.wrap(in.readNBytes(in.readInt() - 4));
                switch (type) {
                    case 'Q' -> {
                        for (String statement : split(text(message))) {
                            answer(new Bound(statement, List.of(), answerTo(statement)), true);
                        }
                        ready();
                    }
                    case 'P' -> {
                        String name = text(message);
                        String sql = text(message);
                        List<Integer> types = new ArrayList<>();
                        int count = message.getShort();
                        for (int each = 0; each < count; each++) {
                            types.add(message.getInt());
                        }
                        prepared.put(name, new Prepared(sql, types));
                        send('1');
                    }
                    case 'B' -> bind(message);
                    case 'D' -> describe(message);
                    case 'E' -> answer(bound.get(text(message)), false);
                    case 'C' -> send('3');
                    case 'S' -> ready();
                    case 'H' -> out.flush();
                    default -> throw new IOException("no answer to message " + (char) type);
                }
            }
        }

        private boolean start() throws IOException {
            while (true) {
                byte[] message = in.readNBytes(in.readInt() - 4);
                int code = ByteBuffer.wrap(message).getInt();
                if (code == SSL_REQUEST || code == GSS_REQUEST) {
                    out.writeByte('N');
                    out.flush();
                } else if (code == CANCEL_REQUEST) {
                    return false;
                } else {
                    break;
                }
            }
            send('R', buffer -> buffer.writeInt(0));
            Map<String, String> status = new LinkedHashMap<>();
            status.put("server_version", "13.0.0");
            status.put("crdb_version", "CockroachDB CCL v26.1.0 (x86_64-pc-linux-gnu)");
            status.put("client_encoding", "UTF8");
            status.put("server_encoding", "UTF8");
            status.put("integer_datetimes", "on");
            status.put("standard_conforming_strings", "on");
            status.put("DateStyle", "ISO, MDY");
            status.put("IntervalStyle", "postgres");
            status.put("TimeZone", "UTC");
            for (Map.Entry<String, String> parameter : status.entrySet()) {
                send('S', buffer -> {
                    write(buffer, parameter.getKey());
                    write(buffer, parameter.getValue());
                });
            }
            send('K', buffer -> {
                buffer.writeInt(1);
                buffer.writeInt(1);
            });
            ready();
            return true;
        }

        private void bind(ByteBuffer message) throws IOException {
            String portal = text(message);
            Prepared statement = prepared.get(text(message));
            int[] formats = IntStream.range(0, message.getShort())
                    .map(each -> message.getShort())
                    .toArray();
            List<@Nullable String> values = new ArrayList<>();
            int count = message.getShort();
            for (int place = 0; place < count; place++) {
                int length = message.getInt();
                if (length < 0) {
                    values.add(null);
                    continue;
                }
                byte[] bytes = new byte[length];
                message.get(bytes);
                int format = formats.length == 0 ? 0 : formats[formats.length == 1 ? 0 : place];
                values.add(
                        format == 0
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : binary(bytes, statement.types().get(place)));
            }
            String asked = withValues(statement.sql(), values);
            bound.put(portal, new Bound(statement.sql(), values, answerTo(asked)));
            send('2');
        }

        private static String binary(byte[] bytes, int type) {
            ByteBuffer value = ByteBuffer.wrap(bytes);
            return switch (type) {
                case 21 -> Short.toString(value.getShort());
                case 23 -> Integer.toString(value.getInt());
                case 20 -> Long.toString(value.getLong());
                case 700 -> Float.toString(value.getFloat());
                case 701 -> Double.toString(value.getDouble());
                case 2950 -> new UUID(value.getLong(), value.getLong()).toString();
                default -> "binary of type " + type;
            };
        }

        private void describe(ByteBuffer message) throws IOException {
            boolean statement = message.get() == 'S';
            String name = text(message);
            if (statement) {
                String sql = prepared.get(name).sql();
                long parameters = SqlScanner.tokens(sql).stream()
                        .filter(token -> token.kind() == Kind.NUMBERED_PARAMETER)
                        .map(token -> token.in(sql))
                        .distinct()
                        .count();
                send('t', buffer -> {
                    buffer.writeShort((int) parameters);
                    for (int each = 0; each < parameters; each++) {
                        buffer.writeInt(TYPES.get("text"));
                    }
                });
            }
            Answer answer = statement
                    ? answerTo(prepared.get(name).sql())
                    : bound.get(name).answer();
            if (answer == null) {
                send('n');
            } else {
                columns(answer);
            }
        }

        private void answer(Bound statement, boolean simple) throws IOException {
            String sql = statement.sql().strip();
            if (sql.isEmpty()) {
                send('I');
                return;
            }
            record(statement);
            String word = sql.split("\\W", 2)[0].toUpperCase(Locale.ROOT);
            if (word.equals("BEGIN") || word.equals("START")) {
                inTransaction = true;
            } else if (word.equals("COMMIT")
                    || (word.equals("ROLLBACK") && !sql.toUpperCase(Locale.ROOT).contains(" TO "))) {
                inTransaction = false;
            }
            if (word.equals("COPY")) {
                complete("COPY " + copied());
                return;
            }
            Answer answer = statement.answer();
            if (answer == null) {
                complete(word.equals("INSERT") ? "INSERT 0 1" : word.matches("UPDATE|DELETE") ? word + " 1" : word);
                return;
            }
            if (simple) {
                columns(answer);
            }
            for (List<@Nullable String> row : answer.rows()) {
                send('D', buffer -> {
                    buffer.writeShort(row.size());
                    for (String value : row) {
                        if (value == null || value.equals("\\N")) {
                            buffer.writeInt(-1);
                        } else {
                            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
                            buffer.writeInt(bytes.length);
                            buffer.write(bytes);
                        }
                    }
                });
            }
            complete("SELECT " + answer.rows().size());
        }

        private long copied() throws IOException {
            send('G', buffer -> {
                buffer.writeByte(0);
                buffer.writeShort(0);
            });
            out.flush();
            long rows = 0;
            while (true) {
                int type = in.read();
                byte[] message = in.readNBytes(in.readInt() - 4);
                if (type == 'd') {
                    for (byte each : message) {
                        rows += each == '\n' ? 1 : 0;
                    }
                } else if (type == 'c' || type == 'f' || type < 0) {
                    return rows;
                }
            }
        }

        private void columns(Answer answer) throws IOException {
            send('T', buffer -> {
                buffer.writeShort(answer.columns().size());
                for (String column : answer.columns()) {
                    int colon = column.indexOf(':');
                    write(buffer, colon < 0 ? column : column.substring(0, colon));
                    buffer.writeInt(0);
                    buffer.writeShort(0);
                    buffer.writeInt(TYPES.get(colon < 0 ? "text" : column.substring(colon + 1)));
                    buffer.writeShort(-1);
                    buffer.writeInt(-1);
                    buffer.writeShort(0);
                }
            });
        }

        private void complete(String tag) throws IOException {
            send('C', buffer -> write(buffer, tag));
        }

        private void ready() throws IOException {
            send('Z', buffer -> buffer.writeByte(inTransaction ? 'T' : 'I'));
            out.flush();
        }

        private void send(char type) throws IOException {
            send(type, buffer -> {});
        }

        private void send(char type, Body body) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            body.write(new DataOutputStream(bytes));
            out.writeByte(type);
            out.writeInt(bytes.size() + 4);
            bytes.writeTo(out);
        }
    }

    private interface Body {
        void write(DataOutputStream buffer) throws IOException;
    }

    private void record(Bound statement) {
        if (!OF_DRIVER.contains(statement.sql()) && !statement.sql().startsWith("SET application_name")) {
            statements.add(withValues(statement.sql(), statement.values()));
        }
    }

    private static String withValues(String sql, List<@Nullable String> values) {
        StringBuilder text = new StringBuilder();
        for (Token token : SqlScanner.tokens(sql)) {
            String written = token.in(sql);
            int place = token.kind() == Kind.NUMBERED_PARAMETER ? Integer.parseInt(written.substring(1)) - 1 : -1;
            if (place < 0 || place >= values.size()) {
                text.append(written);
            } else {
                String value = values.get(place);
                text.append(value == null ? "NULL" : "'" + value.replace("'", "''") + "'");
            }
        }
        return text.toString();
    }

    /** Rows where the statement is a query, as a test wants them or none. */
    private @Nullable Answer answerTo(String sql) {
        for (Rule rule : rules) {
            Matcher matcher = rule.statement().matcher(sql.strip());
            if (matcher.find()) {
                return rule.answer().apply(matcher);
            }
        }
        return sql.stripLeading().matches("(?is)(SELECT|SHOW|WITH|EXPLAIN|VALUES|TABLE)\\b.*|.*\\bRETURNING\\b.*")
                ? Answer.of("unknown")
                : null;
    }

    /** The statements of a simple query. */
    private static List<String> split(String sql) {
        List<String> statements = new ArrayList<>();
        int from = 0;
        for (Token token : SqlScanner.tokens(sql)) {
            if (token.in(sql).equals(";")) {
                statements.add(sql.substring(from, token.start()));
                from = token.end();
            }
        }
        statements.add(sql.substring(from));
        return statements.stream()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }

    private static String text(ByteBuffer message) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (byte next = message.get(); next != 0; next = message.get()) {
            text.write(next);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static void write(DataOutputStream buffer, String text) throws IOException {
        buffer.write(text.getBytes(StandardCharsets.UTF_8));
        buffer.writeByte(0);
    }
}

package io.movr.workload;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The Yahoo! Cloud Serving Benchmark: a table of a key and ten fields of a hundred letters, and the workloads A to F.
 *
 * <p>Statements, names and defaults are those of {@code cockroach workload run ycsb}; keys are hashed as YCSB itself
 * does it. The values that rows are inserted with follow from their numbers alone, so that a check can tell whether a
 * row is the one that was inserted.
 */
public final class Ycsb implements Workload {

    /**
     * What is run.
     *
     * @param insertCount rows to begin with, 2 to 1,000,000,000
     * @param readModifyWriteInTransaction whether workload F's read and write are one transaction
     */
    public record Settings(
            YcsbMix mix, long insertCount, KeyDistribution distribution, boolean readModifyWriteInTransaction) {

        private static final long MAX_ROWS = 1_000_000_000L;

        public Settings {
            if (insertCount < 2 || insertCount > MAX_ROWS) {
                throw new UserError("--insert-count " + insertCount + " is out of range: 2 to " + MAX_ROWS);
            }
        }

        /** Returns a standard workload with its defaults. */
        public static Settings of(String workload, long insertCount) {
            YcsbMix mix = YcsbMix.named(workload);
            return new Settings(mix, insertCount, mix.distribution(), false);
        }
    }

    private static final String TABLE = "usertable";
    private static final int MAX_SCAN_LENGTH = 1000;
    private static final int FIELDS = 10;
    private static final int FIELD_LENGTH = 100;
    private static final int ROWS_A_STATEMENT = 100;
    private static final int ROWS_A_CHECK = 1_000;
    private static final long MAX_CHECKED_ROWS = 100_000;
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNIQUE_VIOLATION = "23505";
    private static final char[] LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".toCharArray();
    private static final String COLUMNS =
            IntStream.range(0, FIELDS).mapToObj(field -> "field" + field).collect(Collectors.joining(", "));
    private static final String PLACES = "(" + String.join(", ", Collections.nCopies(FIELDS + 1, "?")) + ")";
    private static final String INSERT = "INSERT INTO " + TABLE + " (ycsb_key, " + COLUMNS + ") VALUES ";

    private final Settings settings;
    private final @Nullable String readStatement;
    private final double[] thresholds;
    private @Nullable InsertedRows rows;
    private @Nullable Supplier<KeyDistribution.Generator> generators;

    public Ycsb(Settings settings) {
        this(settings, null);
    }

    /**
     * The same, with a statement of one's own that reads a row.
     *
     * @param readStatement takes the hash that keys are made of
     */
    public Ycsb(Settings settings, @Nullable String readStatement) {
        this.settings = settings;
        this.readStatement = readStatement;
        thresholds = new double[YcsbMix.OPERATIONS.size()];
        double sum = 0;
        for (int operation = 0; operation < thresholds.length; operation++) {
            sum += settings.mix().shares().get(operation);
            thresholds[operation] = sum;
        }
    }

    @Override
    public String name() {
        return "ycsb-" + settings.mix().id().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<String> operations() {
        return YcsbMix.OPERATIONS;
    }

    @Override
    public List<String> tables() {
        return List.of(TABLE);
    }

    /** Returns the key of a row by its number. */
    static String key(long number) {
        return "user" + KeyDistribution.hash(number);
    }

    @Override
    public void init(Connection connection, Consumer<String> progress) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS " + TABLE + " (ycsb_key VARCHAR(255) NOT NULL PRIMARY KEY, "
                    + IntStream.range(0, FIELDS)
                            .mapToObj(field -> "field" + field + " TEXT NOT NULL")
                            .collect(Collectors.joining(", "))
                    + families(Engine.of(connection)) + ")");
        }
        if (count(connection) >= settings.insertCount()) {
            return;
        }
        insertMissing(connection, progress);
        try (Statement statement = connection.createStatement()) {
            statement.execute(Engine.of(connection).statisticsOf(TABLE));
        }
    }

    private String families(Engine engine) {
        if (!settings.mix().families() || !engine.hasColumnFamilies()) {
            return "";
        }
        return ", FAMILY (ycsb_key), "
                + IntStream.range(0, FIELDS)
                        .mapToObj(field -> "FAMILY (field" + field + ")")
                        .collect(Collectors.joining(", "));
    }

    private void insertMissing(Connection connection, Consumer<String> progress) throws SQLException {
        long count = settings.insertCount();
        for (long first = 0; first < count; first += ROWS_A_STATEMENT) {
            int many = (int) Math.min(ROWS_A_STATEMENT, count - first);
            try (PreparedStatement insert = connection.prepareStatement(
                    INSERT + String.join(", ", Collections.nCopies(many, PLACES)) + " ON CONFLICT DO NOTHING")) {
                for (int row = 0; row < many; row++) {
                    bind(insert, row * (FIELDS + 1), first + row);
                }
                insert.executeUpdate();
            }
            if (first / ROWS_A_STATEMENT % 10 == 0) {
                progress.accept(String.format(Locale.ROOT, "Loading rows… %,d of %,d", first, count));
            }
        }
    }

    private static void bind(PreparedStatement insert, int before, long number) throws SQLException {
        insert.setString(before + 1, key(number));
        SplittableRandom random = new SplittableRandom(number);
        for (int field = 0; field < FIELDS; field++) {
            insert.setString(before + 2 + field, letters(random));
        }
    }

    private static String letters(SplittableRandom random) {
        char[] text = new char[FIELD_LENGTH];
        for (int place = 0; place < FIELD_LENGTH; place++) {
            text[place] = LETTERS[random.nextInt(LETTERS.length)];
        }
        return new String(text);
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        long count;
        try {
            count = count(connection);
        } catch (SQLException failed) {
            if (UNDEFINED_TABLE.equals(SqlState.of(failed))) {
                throw new UserError("There is no table " + TABLE + " yet: run the step init first", failed);
            }
            throw failed;
        }
        if (count < settings.insertCount()) {
            throw new UserError(TABLE + " has " + count + " rows, and --insert-count asks for " + settings.insertCount()
                    + ": run the step init first");
        }
        if (!exists(connection, count - 1) || exists(connection, count)) {
            throw new UserError("The rows of " + TABLE + " were not inserted by movr, or an insert among them was"
                    + " lost: drop the table, and run the step init again");
        }
        rows = new InsertedRows(count);
        generators = settings.distribution().generators(count);
    }

    private static long count(Connection connection) throws SQLException {
        return Workload.number(connection, "SELECT count(*) FROM " + TABLE);
    }

    private static boolean exists(Connection connection, long number) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT 1 FROM " + TABLE + " WHERE ycsb_key = ?")) {
            statement.setString(1, key(number));
            try (ResultSet answer = statement.executeQuery()) {
                return answer.next();
            }
        }
    }

    @Override
    public Session session(long seed) {
        if (rows == null || generators == null) {
            throw new IllegalStateException("prepare was not called");
        }
        return new YcsbSession(rows, generators.get(), new SplittableRandom(seed));
    }

    /**
     * Compares the number of rows with the acknowledged inserts and, if no row was updated, the values of the last {@value
     * #MAX_CHECKED_ROWS} inserted rows with the values sent.
     */
    @Override
    public List<String> check(Connection connection) throws SQLException {
        InsertedRows inserted = rows;
        if (inserted == null) {
            throw new IllegalStateException("prepare was not called");
        }
        List<String> faults = new ArrayList<>();
        long count = count(connection);
        if (count < inserted.known() || count > inserted.known() + inserted.unknown()) {
            faults.add(String.format(
                    Locale.ROOT,
                    "%s has %,d rows, and %,d were acknowledged (%,d more of unknown outcome)",
                    TABLE,
                    count,
                    inserted.known(),
                    inserted.unknown()));
        }
        if (settings.mix().keepsValues()) {
            checkValues(connection, inserted.certain(), faults);
        }
        return faults;
    }

    private void checkValues(Connection connection, long certain, List<String> faults) throws SQLException {
        long from = Math.max(settings.insertCount(), certain - MAX_CHECKED_ROWS);
        long wrong = 0;
        try (PreparedStatement select = connection.prepareStatement("SELECT count(*) FROM " + TABLE + " t JOIN (VALUES "
                + String.join(", ", Collections.nCopies(ROWS_A_CHECK / 100, PLACES)) + ") v (ycsb_key, " + COLUMNS
                + ") ON "
                + IntStream.range(0, FIELDS)
                        .mapToObj(field -> "t.field" + field + " = v.field" + field)
                        .collect(Collectors.joining(" AND ", "t.ycsb_key = v.ycsb_key AND ", "")))) {
            int many = ROWS_A_CHECK / 100;
            for (long first = from; first < certain; first += many) {
                long here = Math.min(many, certain - first);
                for (int row = 0; row < many; row++) {
                    bind(select, row * (FIELDS + 1), first + Math.min(row, here - 1));
                }
                try (ResultSet answer = select.executeQuery()) {
                    answer.next();
                    // The last group is filled up with its last row.
                    wrong += many - answer.getLong(1);
                }
            }
        }
        if (wrong > 0) {
            faults.add(String.format(Locale.ROOT, "%,d inserted rows are missing or have other values", wrong));
        }
    }

    private final class YcsbSession implements Session {

        private final InsertedRows inserted;
        private final KeyDistribution.Generator keys;
        private final SplittableRandom random;
        private final @Nullable PreparedStatement[] updates = new PreparedStatement[FIELDS];
        private final @Nullable PreparedStatement[] fieldReads = new PreparedStatement[FIELDS];
        private @Nullable Connection connection;
        private @Nullable PreparedStatement read;
        private @Nullable PreparedStatement insert;
        private @Nullable PreparedStatement scan;
        private int operation;
        private long number;
        private int field;
        private int length;
        private String value = "";

        YcsbSession(InsertedRows inserted, KeyDistribution.Generator keys, SplittableRandom random) {
            this.inserted = inserted;
            this.keys = keys;
            this.random = random;
        }

        @Override
        public void open(Connection opened) throws SQLException {
            connection = opened;
            opened.setAutoCommit(true);
            read = null;
            insert = null;
            scan = null;
            Arrays.fill(updates, null);
            Arrays.fill(fieldReads, null);
        }

        @Override
        public int draw() {
            double drawn = random.nextDouble();
            operation = 0;
            while (operation < thresholds.length - 1 && drawn >= thresholds[operation]) {
                operation++;
            }
            if (operation == YcsbMix.INSERT) {
                number = inserted.claim();
                return operation;
            }
            number = keys.next(random, inserted.certain());
            switch (operation) {
                case YcsbMix.UPDATE, YcsbMix.READ_MODIFY_WRITE -> {
                    field = random.nextInt(FIELDS);
                    value = letters(random);
                }
                case YcsbMix.SCAN -> length = random.nextInt(1, MAX_SCAN_LENGTH + 1);
                default -> length = 1;
            }
            return operation;
        }

        @Override
        public void execute() throws SQLException {
            switch (operation) {
                case YcsbMix.READ -> read();
                case YcsbMix.UPDATE -> update();
                case YcsbMix.INSERT -> insert();
                case YcsbMix.SCAN -> scan();
                case YcsbMix.READ_MODIFY_WRITE -> readModifyWrite();
                default -> throw new IllegalStateException("There is no operation " + operation);
            }
        }

        @Override
        public void giveUp(boolean unknown) {
            if (operation == YcsbMix.INSERT) {
                inserted.giveBack(number, unknown);
            }
        }

        private PreparedStatement prepare(String sql) throws SQLException {
            Connection open = connection;
            if (open == null) {
                throw new IllegalStateException("open was not called");
            }
            return open.prepareStatement(sql);
        }

        private void read() throws SQLException {
            PreparedStatement statement = read;
            if (statement == null) {
                statement = prepare(
                        readStatement == null ? "SELECT * FROM " + TABLE + " WHERE ycsb_key = ?" : readStatement);
                read = statement;
            }
            statement.setString(1, readStatement == null ? key(number) : Long.toString(KeyDistribution.hash(number)));
            readOne(statement);
        }

        private void readOne(PreparedStatement statement) throws SQLException {
            try (ResultSet answer = statement.executeQuery()) {
                if (!answer.next()) {
                    throw new WrongAnswer("The row " + key(number) + " is missing");
                }
            }
        }

        private void update() throws SQLException {
            PreparedStatement statement = updates[field];
            if (statement == null) {
                statement = prepare("UPDATE " + TABLE + " SET field" + field + " = ? WHERE ycsb_key = ?");
                updates[field] = statement;
            }
            statement.setString(1, value);
            statement.setString(2, key(number));
            if (statement.executeUpdate() != 1) {
                throw new WrongAnswer("The row " + key(number) + " is missing");
            }
        }

        private void insert() throws SQLException {
            PreparedStatement statement = insert;
            if (statement == null) {
                statement = prepare(INSERT + PLACES);
                insert = statement;
            }
            bind(statement, 0, number);
            try {
                statement.executeUpdate();
            } catch (SQLException failed) {
                if (!UNIQUE_VIOLATION.equals(SqlState.of(failed)) || !inserted.mayExist(number)) {
                    throw failed;
                }
            }
            inserted.inserted(number);
        }

        private void scan() throws SQLException {
            PreparedStatement statement = scan;
            if (statement == null) {
                statement = prepare("SELECT * FROM " + TABLE + " WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?");
                scan = statement;
            }
            statement.setString(1, key(number));
            statement.setInt(2, length);
            try (ResultSet answer = statement.executeQuery()) {
                if (!answer.next() || !key(number).equals(answer.getString(1))) {
                    throw new WrongAnswer("A scan from " + key(number) + " does not begin with that row");
                }
                int seen = 1;
                while (answer.next()) {
                    seen++;
                }
                if (seen > length) {
                    throw new WrongAnswer("A scan of " + length + " rows returned " + seen);
                }
            }
        }

        private void readModifyWrite() throws SQLException {
            boolean together = settings.readModifyWriteInTransaction();
            Connection open = connection;
            if (open == null) {
                throw new IllegalStateException("open was not called");
            }
            if (together) {
                open.setAutoCommit(false);
            }
            PreparedStatement statement = fieldReads[field];
            if (statement == null) {
                statement = prepare("SELECT field" + field + " FROM " + TABLE + " WHERE ycsb_key = ?"
                        + (together ? " FOR UPDATE" : ""));
                fieldReads[field] = statement;
            }
            statement.setString(1, key(number));
            readOne(statement);
            update();
            if (together) {
                open.commit();
                open.setAutoCommit(true);
            }
        }
    }
}

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
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * pgbench's transaction "TPC-B (sort of)", over tables that pgbench can use and make too: it changes the balances of an
 * account, a teller and a branch by the same amount, and inserts a row into the history.
 */
public final class Tpcb implements Workload {

    /** The order of a transaction's statements. */
    public enum Order {

        /** As pgbench's own script: account, its balance, teller, branch, history. */
        PGBENCH,

        /**
         * The most contended rows come last: history, account, its balance, teller, branch. The lock on the branch, of which
         * there are fewest, is held only for the duration of the commit.
         */
        COCKROACHDB;

        /** Returns the order of the engine's own program. */
        static Order of(Engine engine) {
            return switch (engine) {
                case POSTGRESQL -> PGBENCH;
                case COCKROACHDB -> COCKROACHDB;
            };
        }
    }

    private static final int ACCOUNTS = 100_000;
    private static final int TELLERS = 10;
    private static final int MAX_DELTA = 5_000;
    private static final int ROWS_A_STATEMENT = 10_000;
    private static final int MAX_SCALE = 20_000;
    private static final String UNDEFINED_TABLE = "42P01";

    private final int scale;
    private final @Nullable Order wantedOrder;
    private final LongAdder committed = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private long historyBefore;
    private Order order = Order.PGBENCH;

    /**
     * Creates the workload.
     *
     * @param scale branches, 1 to 20,000; ten tellers and 100,000 accounts to each
     * @param order {@code null} for the order of the engine
     */
    public Tpcb(int scale, @Nullable Order order) {
        if (scale < 1 || scale > MAX_SCALE) {
            throw new UserError("--scale " + scale + " is out of range: 1 to " + MAX_SCALE);
        }
        this.scale = scale;
        this.wantedOrder = order;
    }

    @Override
    public String name() {
        return "tpcb";
    }

    @Override
    public List<String> operations() {
        return List.of("tpcb");
    }

    @Override
    public List<String> tables() {
        return List.of("pgbench_accounts", "pgbench_branches", "pgbench_tellers", "pgbench_history");
    }

    @Override
    public void init(Connection connection, Consumer<String> progress) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE IF NOT EXISTS pgbench_branches (bid INT NOT NULL PRIMARY KEY, bbalance INT, filler CHAR(88))");
            statement.execute("CREATE TABLE IF NOT EXISTS pgbench_tellers"
                    + " (tid INT NOT NULL PRIMARY KEY, bid INT, tbalance INT, filler CHAR(84))");
            statement.execute("CREATE TABLE IF NOT EXISTS pgbench_accounts"
                    + " (aid INT NOT NULL PRIMARY KEY, bid INT, abalance INT, filler CHAR(84))");
            statement.execute("CREATE TABLE IF NOT EXISTS pgbench_history"
                    + " (tid INT, bid INT, aid INT, delta INT, mtime TIMESTAMP, filler CHAR(22))");
        }
        long branches = Workload.number(connection, "SELECT count(*) FROM pgbench_branches");
        if (branches > scale) {
            throw otherScale(branches);
        }
        boolean changed = fill(connection, "pgbench_branches", "bid, bbalance", "n, 0", scale, progress);
        changed |= fill(
                connection,
                "pgbench_tellers",
                "tid, bid, tbalance",
                "n, " + branch(TELLERS) + ", 0",
                (long) scale * TELLERS,
                progress);
        changed |= fill(
                connection,
                "pgbench_accounts",
                "aid, bid, abalance, filler",
                "n, " + branch(ACCOUNTS) + ", 0, ''",
                (long) scale * ACCOUNTS,
                progress);
        if (changed) {
            try (Statement statement = connection.createStatement()) {
                for (String table : tables()) {
                    statement.execute(Engine.of(connection).statisticsOf(table));
                }
            }
        }
    }

    /**
     * Returns the branch of the row {@code n}, when each branch has some of them: CockroachDB divides integers into a
     * decimal.
     */
    private static String branch(int rows) {
        return "CAST(trunc((n - 1) / " + rows + ".0) AS INT) + 1";
    }

    private static boolean fill(
            Connection connection, String table, String columns, String values, long rows, Consumer<String> progress)
            throws SQLException {
        long there = Workload.number(connection, "SELECT count(*) FROM " + table);
        if (there >= rows) {
            return false;
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " (" + columns + ") SELECT " + values
                        + " FROM generate_series(CAST(? AS BIGINT), CAST(? AS BIGINT)) AS n ON CONFLICT DO NOTHING")) {
            for (long first = 1; first <= rows; first += ROWS_A_STATEMENT) {
                insert.setLong(1, first);
                insert.setLong(2, Math.min(rows, first + ROWS_A_STATEMENT - 1));
                insert.executeUpdate();
                progress.accept(String.format(Locale.ROOT, "Loading %s… %,d of %,d", table, first - 1, rows));
            }
        }
        return true;
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        order = wantedOrder != null ? wantedOrder : Order.of(Engine.of(connection));
        try {
            long branches = Workload.number(connection, "SELECT count(*) FROM pgbench_branches");
            if (branches != scale) {
                throw otherScale(branches);
            }
            long accounts = Workload.number(connection, "SELECT count(*) FROM pgbench_accounts");
            if (accounts != (long) scale * ACCOUNTS) {
                throw new UserError("pgbench_accounts has " + accounts + " rows, which is not the scale " + scale
                        + ": run the step init first");
            }
            historyBefore = Workload.number(connection, "SELECT count(*) FROM pgbench_history");
        } catch (SQLException failed) {
            if (UNDEFINED_TABLE.equals(SqlState.of(failed))) {
                throw new UserError("There are no tables of pgbench yet: run the step init first", failed);
            }
            throw failed;
        }
    }

    private UserError otherScale(long branches) {
        return new UserError("The tables of pgbench have the scale " + branches + ", not " + scale
                + ": name that one with --scale, or drop them (pgbench_accounts, _branches, _history, _tellers)");
    }

    @Override
    public Session session(long seed) {
        return new TpcbSession(new SplittableRandom(seed));
    }

    /** Checks that the four sums are equal, and that history has a row for each acknowledged transaction. */
    @Override
    public List<String> check(Connection connection) throws SQLException {
        List<String> faults = new ArrayList<>();
        long accounts = Workload.number(connection, "SELECT coalesce(sum(abalance), 0) FROM pgbench_accounts");
        long tellers = Workload.number(connection, "SELECT coalesce(sum(tbalance), 0) FROM pgbench_tellers");
        long branches = Workload.number(connection, "SELECT coalesce(sum(bbalance), 0) FROM pgbench_branches");
        long history = Workload.number(connection, "SELECT coalesce(sum(delta), 0) FROM pgbench_history");
        if (accounts != tellers || accounts != branches || accounts != history) {
            faults.add(String.format(
                    Locale.ROOT,
                    "the sums differ: accounts %d, tellers %d, branches %d, history %d",
                    accounts,
                    tellers,
                    branches,
                    history));
        }
        long written = Workload.number(connection, "SELECT count(*) FROM pgbench_history") - historyBefore;
        if (written < committed.sum() || written > committed.sum() + unknown.sum()) {
            faults.add(String.format(
                    Locale.ROOT,
                    "history has %,d new rows, and %,d transactions were acknowledged (%,d more of unknown outcome)",
                    written,
                    committed.sum(),
                    unknown.sum()));
        }
        return faults;
    }

    private final class TpcbSession implements Session {

        private final SplittableRandom random;
        private @Nullable Statements statements;
        private int account;
        private int teller;
        private int branch;
        private int delta;

        /** A connection and its prepared statements. */
        private record Statements(
                Connection connection,
                PreparedStatement updateAccount,
                PreparedStatement readAccount,
                PreparedStatement updateTeller,
                PreparedStatement updateBranch,
                PreparedStatement insertHistory) {}

        TpcbSession(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public void open(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            statements = new Statements(
                    connection,
                    connection.prepareStatement("UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?"),
                    connection.prepareStatement("SELECT abalance FROM pgbench_accounts WHERE aid = ?"),
                    connection.prepareStatement("UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?"),
                    connection.prepareStatement("UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?"),
                    connection.prepareStatement("INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                            + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)"));
        }

        @Override
        public int draw() {
            account = 1 + random.nextInt(scale * ACCOUNTS);
            branch = 1 + random.nextInt(scale);
            teller = 1 + random.nextInt(scale * TELLERS);
            delta = random.nextInt(-MAX_DELTA, MAX_DELTA + 1);
            return 0;
        }

        @Override
        public void execute() throws SQLException {
            Statements prepared = statements;
            if (prepared == null) {
                throw new IllegalStateException("open was not called");
            }
            switch (order) {
                case PGBENCH -> {
                    update(prepared.updateAccount(), account);
                    readAccount(prepared.readAccount());
                    update(prepared.updateTeller(), teller);
                    update(prepared.updateBranch(), branch);
                    insertHistory(prepared.insertHistory());
                }
                case COCKROACHDB -> {
                    insertHistory(prepared.insertHistory());
                    update(prepared.updateAccount(), account);
                    readAccount(prepared.readAccount());
                    update(prepared.updateTeller(), teller);
                    update(prepared.updateBranch(), branch);
                }
            }
            prepared.connection().commit();
            committed.increment();
        }

        @Override
        public void giveUp(boolean mayBeDone) {
            if (mayBeDone) {
                unknown.increment();
            }
        }

        private void update(PreparedStatement statement, int id) throws SQLException {
            statement.setInt(1, delta);
            statement.setInt(2, id);
            if (statement.executeUpdate() != 1) {
                throw new WrongAnswer("A row to update is missing, its id " + id);
            }
        }

        private void readAccount(PreparedStatement statement) throws SQLException {
            statement.setInt(1, account);
            try (ResultSet answer = statement.executeQuery()) {
                if (!answer.next()) {
                    throw new WrongAnswer("The account " + account + " is missing");
                }
            }
        }

        private void insertHistory(PreparedStatement statement) throws SQLException {
            statement.setInt(1, teller);
            statement.setInt(2, branch);
            statement.setInt(3, account);
            statement.setInt(4, delta);
            statement.executeUpdate();
        }
    }
}

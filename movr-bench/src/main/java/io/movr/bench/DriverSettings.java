package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.rides.RideId;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * What settings of the JDBC driver are worth, each by itself against the driver's defaults: for a short read, a read of
 * a page of rows, and a transaction of two short reads. The statement cache is asked for 300 different statements in
 * turn, which overflows its default of 256.
 *
 * <p>What {@code reWriteBatchedInserts} is worth is measured by {@link InsertHundredUsers}.
 */
public class DriverSettings extends RepositoryCall {

    static final String PAGE = "SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address,"
            + " start_time, end_time, revenue FROM rides WHERE city = ? ORDER BY id LIMIT 2000";

    /** The parameter's name, and its value for a driver that is left as it is. */
    static final String PARAMETER = "setting";

    static final String DEFAULTS = "defaults";

    private static final int STATEMENTS = 300;

    /** A parameter of the JDBC address, or {@code defaults}. */
    @Param({
        DEFAULTS,
        "prepareThreshold=0",
        "prepareThreshold=1",
        "prepareThreshold=-1",
        "preparedStatementCacheQueries=0",
        "preparedStatementCacheQueries=1024",
        "binaryTransfer=false",
        "defaultRowFetchSize=10",
        "defaultRowFetchSize=100",
        "defaultRowFetchSize=1000",
        "autosave=always",
        "tcpNoDelay=false"
    })
    public String setting = DEFAULTS;

    /** Returns all measured settings. */
    static List<String> settings() {
        try {
            return List.of(DriverSettings.class
                    .getField(PARAMETER)
                    .getAnnotation(Param.class)
                    .value());
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private @Nullable DataSource pool;
    private Drawn<RideId> rides = Drawn.none();
    private int number;

    @Override
    void prepare() {
        pool = subject().withDriverSettings(setting.equals(DEFAULTS) ? "loginTimeout=10" : setting, threads());
        rides = drawing().rides();
    }

    private Connection connection() throws SQLException {
        return Objects.requireNonNull(pool).getConnection();
    }

    @Benchmark
    public Object shortRead() throws SQLException {
        try (Connection connection = connection()) {
            return read(connection, RideById.ALL);
        }
    }

    /** Reads a page with autocommit off, which fetching in batches requires. */
    @Benchmark
    public long pageOfRides() throws SQLException {
        try (Connection connection = connection()) {
            connection.setAutoCommit(false);
            long length = 0;
            try (var statement = connection.prepareStatement(PAGE)) {
                statement.setString(1, rides.next().city());
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        length +=
                                row.getString(6).length() + row.getTimestamp(8).getTime();
                    }
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
            return length;
        }
    }

    @Benchmark
    public Object manyStatements() throws SQLException {
        number = (number + 1) % STATEMENTS;
        try (Connection connection = connection()) {
            return read(connection, RideById.ALL + " AND " + number + " = " + number);
        }
    }

    /** Two reads and a commit: BEGIN travels with the first read, COMMIT is a round trip of its own. */
    @Benchmark
    public Object transactionOfTwoReads() throws SQLException {
        try (Connection connection = connection()) {
            connection.setAutoCommit(false);
            read(connection, RideById.ALL);
            Object second = read(connection, RideById.TWO);
            connection.commit();
            connection.setAutoCommit(true);
            return second;
        }
    }

    /** Returns the same two reads, each by itself. */
    @Benchmark
    public Object autocommitOfTwoReads() throws SQLException {
        try (Connection connection = connection()) {
            read(connection, RideById.ALL);
            return read(connection, RideById.TWO);
        }
    }

    private Object read(Connection connection, String sql) throws SQLException {
        RideId ride = rides.next();
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, ride.city());
            statement.setObject(2, ride.id());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("No ride " + ride);
                }
                for (int column = 1; column < row.getMetaData().getColumnCount(); column++) {
                    row.getObject(column);
                }
                return row.getObject(1);
            }
        }
    }

    @Override
    void check() throws SQLException {
        rides.rewind();
        String city = rides.next().city();
        rides.rewind();
        require(city.equals(manyStatements()), "a ride of " + city + " expected", city);
        require(pageOfRides() != 0, "a page of rides expected", 0);
    }

    @Override
    List<Step> statements(Stage at) {
        RideId ride = rides.next();
        return List.of(
                new Step(RideById.ALL, List.of(ride.city(), ride.id()), Expectation.indexScan("rides", "rides_pkey")));
    }
}

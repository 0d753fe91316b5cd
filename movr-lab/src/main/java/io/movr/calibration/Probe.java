package io.movr.calibration;

import io.movr.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.postgresql.PGStatement;

/** Measures the layers of an operation separately, in nanoseconds. */
final class Probe {

    private static final int SAMPLES = 2_000;
    private static final int WARM_UP = 200;
    private static final int BLOCK_BYTES = 8_192;
    private static final long LIMIT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int DIGITS = 3;

    private Probe() {}

    /** Measures the round trip of {@code SELECT 1}. */
    static Histogram roundTrip(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT 1")) {
            return repeat(select);
        }
    }

    /** Measures a prepared read of one row of the YCSB table. */
    static Histogram readOneRow(Connection connection) throws SQLException {
        String key;
        try (Statement statement = connection.createStatement();
                ResultSet first = statement.executeQuery("SELECT min(ycsb_key) FROM usertable")) {
            first.next();
            key = first.getString(1);
        }
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM usertable WHERE ycsb_key = ?")) {
            select.setString(1, key);
            return repeat(select);
        }
    }

    private static Histogram repeat(PreparedStatement select) throws SQLException {
        select.unwrap(PGStatement.class).setPrepareThreshold(1);
        Histogram nanos = new Histogram(DIGITS);
        long startNanos = System.nanoTime();
        for (int sample = -WARM_UP; sample < SAMPLES && System.nanoTime() - startNanos < LIMIT_NANOS; sample++) {
            long start = System.nanoTime();
            try (ResultSet answer = select.executeQuery()) {
                if (!answer.next()) {
                    throw new SQLException("A row is missing");
                }
            }
            if (sample >= 0) {
                nanos.recordValue(System.nanoTime() - start);
            }
        }
        return nanos;
    }

    /** Measures repeated writes of the same block of a file with fdatasync, as pg_test_fsync does. */
    static Histogram writeAndSync(Path folder) {
        Histogram nanos = new Histogram(DIGITS);
        try {
            Path file = Files.createTempFile(folder, "movr-fsync-", null);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
                channel.write(block, 0);
                channel.force(true);
                long startNanos = System.nanoTime();
                for (int sample = 0; sample < SAMPLES && System.nanoTime() - startNanos < LIMIT_NANOS; sample++) {
                    block.rewind();
                    long start = System.nanoTime();
                    channel.write(block, 0);
                    channel.force(false);
                    nanos.recordValue(System.nanoTime() - start);
                }
            } finally {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot measure fsync in '" + folder + "' (" + UserError.firstLine(failed)
                            + "): name a folder on the database's disk with --fsync-dir",
                    failed);
        }
        return nanos;
    }
}

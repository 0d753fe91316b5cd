package io.movr.database;

import java.math.BigDecimal;

/**
 * Which part of the rows of each table is copied.
 *
 * @param percent of the rows, more than 0 and less than 100
 * @param seed of the choice: the same seed chooses the same rows again
 * @param mostBytes that the copy may take, with the rows that foreign keys need
 */
public record RowSample(double percent, long seed, long mostBytes) {

    /** The part as a share, from 0 to 1. */
    public double share() {
        return percent / 100;
    }

    /** A percentage without needless zeros. */
    public static String text(double percent) {
        return new BigDecimal(Double.toString(percent)).stripTrailingZeros().toPlainString();
    }

    /**
     * How much of a table was copied.
     *
     * @param table its name as SQL writes it; partitions count with their table
     * @param rows that are in the copy
     * @param of all rows of the source
     */
    public record Part(String table, long rows, long of) {}
}

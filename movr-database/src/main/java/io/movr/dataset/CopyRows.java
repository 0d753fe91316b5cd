package io.movr.dataset;

import java.util.Arrays;

/**
 * Rows as COPY takes them, written straight into bytes: no string is made on the way, so that generating keeps ahead of
 * any server. A row is its values in the order of the columns, then {@link #endRow}.
 */
abstract sealed class CopyRows permits CopyText, CopyBinary {

    /** The formats of COPY. */
    enum Format {
        /** Which every server takes for a column of any type. */
        TEXT,
        /** Which spares the server parsing; values have to be of the columns' types. */
        BINARY;

        CopyRows begin(int capacityBytes) {
            return this == TEXT ? new CopyText(capacityBytes) : new CopyBinary(capacityBytes);
        }
    }

    byte[] bytes;
    int length;

    CopyRows(int capacityBytes) {
        this.bytes = new byte[capacityBytes];
    }

    final byte[] bytes() {
        return bytes;
    }

    final int length() {
        return length;
    }

    final void clear() {
        length = 0;
    }

    /** A VARCHAR in UTF-8, of one or more parts. */
    abstract CopyRows text(byte[]... parts);

    /** A JSONB. */
    abstract CopyRows json(byte[] value);

    /** NULL. */
    abstract CopyRows nothing();

    abstract CopyRows uuid(long high, long low);

    /** A BIGINT. */
    abstract CopyRows integer(long value);

    /** A DECIMAL with two decimals: 1234 is 12.34. */
    abstract CopyRows cents(long value);

    /** A DOUBLE PRECISION: -1234567 is -1.234567. */
    abstract CopyRows microdegrees(long value);

    /** A TIMESTAMP, in seconds since 1970. */
    abstract CopyRows timestamp(long epochSeconds);

    abstract void endRow();

    /** Ends the last row of a COPY. */
    void end() {}

    final void put(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
    }

    final void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}

package io.movr.dataset;

import java.util.Arrays;

/**
 * Rows in a format of COPY, written directly as bytes: without intermediate strings, generating is faster than any server. A row
 * is its values in the order of the columns, then {@link #endRow}.
 */
abstract sealed class CopyRows permits CopyText, CopyBinary {

    /** The formats of COPY. */
    enum Format {
        /** The text format, which every server accepts for a column of any type. */
        TEXT,
        /** The binary format, which needs no parsing; values must have the columns' types. */
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

    /** Returns a VARCHAR in UTF-8, of one or more parts. */
    abstract CopyRows text(byte[]... parts);

    /** Returns a JSONB. */
    abstract CopyRows json(byte[] value);

    /** NULL. */
    abstract CopyRows nothing();

    abstract CopyRows uuid(long high, long low);

    /** Returns a BIGINT. */
    abstract CopyRows integer(long value);

    /** Returns a DECIMAL with two decimals: 1234 is 12.34. */
    abstract CopyRows cents(long value);

    /** Returns a DOUBLE PRECISION: -1234567 is -1.234567. */
    abstract CopyRows microdegrees(long value);

    /** Returns a TIMESTAMP, in seconds since 1970. */
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

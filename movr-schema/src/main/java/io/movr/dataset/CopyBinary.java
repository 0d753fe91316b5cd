package io.movr.dataset;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Rows in the binary format of COPY, as PostgreSQL's documentation of COPY describes it: a header, for each row the number
 * of its fields, for each field its length and its value in the binary form of its type, and a trailer.
 */
final class CopyBinary extends CopyRows {

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final short NUMERIC_NEGATIVE = 0x4000;
    private static final int NUMERIC_BASE = 10_000;
    private static final byte JSONB_VERSION = 1;
    /** 2000-01-01, from which PostgreSQL counts. */
    private static final long POSTGRES_EPOCH_SECONDS = 946_684_800;

    private int row = -1;
    private int fields;

    CopyBinary(int capacityBytes) {
        super(capacityBytes);
        put(SIGNATURE);
        int32(0);
        int32(0);
    }

    @Override
    CopyBinary text(byte[]... parts) {
        int bytesOfText = 0;
        for (byte[] part : parts) {
            bytesOfText += part.length;
        }
        field(bytesOfText);
        for (byte[] part : parts) {
            put(part);
        }
        return this;
    }

    @Override
    CopyBinary json(byte[] value) {
        field(1 + value.length);
        room(1);
        bytes[length++] = JSONB_VERSION;
        put(value);
        return this;
    }

    @Override
    CopyBinary nothing() {
        field(-1);
        return this;
    }

    @Override
    CopyBinary uuid(long high, long low) {
        field(16);
        int64(high);
        int64(low);
        return this;
    }

    @Override
    CopyBinary integer(long value) {
        field(8);
        int64(value);
        return this;
    }

    @Override
    CopyBinary cents(long value) {
        long units = Math.abs(value) / 100;
        int groups = 0;
        for (long rest = units; rest > 0; rest /= NUMERIC_BASE) {
            groups++;
        }
        field(8 + 2 * (groups + 1));
        int16(groups + 1);
        int16(groups - 1);
        int16(value < 0 ? NUMERIC_NEGATIVE : 0);
        int16(2);
        room(2 * groups);
        long rest = units;
        for (int group = groups - 1; group >= 0; group--) {
            SHORT.set(bytes, length + 2 * group, (short) (rest % NUMERIC_BASE));
            rest /= NUMERIC_BASE;
        }
        length += 2 * groups;
        int16((int) (Math.abs(value) % 100) * (NUMERIC_BASE / 100));
        return this;
    }

    @Override
    CopyBinary microdegrees(long value) {
        field(8);
        int64(Double.doubleToRawLongBits(value / 1e6));
        return this;
    }

    @Override
    CopyBinary timestamp(long epochSeconds) {
        field(8);
        int64((epochSeconds - POSTGRES_EPOCH_SECONDS) * 1_000_000);
        return this;
    }

    @Override
    void endRow() {
        SHORT.set(bytes, row, (short) fields);
        row = -1;
        fields = 0;
    }

    @Override
    void end() {
        int16(-1);
    }

    private void field(int bytesOfValue) {
        if (row < 0) {
            row = length;
            int16(0);
        }
        fields++;
        int32(bytesOfValue);
    }

    private void int16(int value) {
        room(2);
        SHORT.set(bytes, length, (short) value);
        length += 2;
    }

    private void int32(int value) {
        room(4);
        INT.set(bytes, length, value);
        length += 4;
    }

    private void int64(long value) {
        room(8);
        LONG.set(bytes, length, value);
        length += 8;
    }
}

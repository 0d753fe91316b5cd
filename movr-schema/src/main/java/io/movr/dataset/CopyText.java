package io.movr.dataset;

import java.nio.charset.StandardCharsets;

/** Rows in the text format of COPY. Texts must not contain characters that the format escapes. */
final class CopyText extends CopyRows {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final long SECONDS_PER_DAY = 86_400;

    private boolean rowBegun;

    CopyText(int capacityBytes) {
        super(capacityBytes);
    }

    @Override
    CopyText text(byte[]... parts) {
        separate();
        for (byte[] part : parts) {
            put(part);
        }
        return this;
    }

    @Override
    CopyText json(byte[] value) {
        return text(value);
    }

    @Override
    CopyText nothing() {
        separate();
        room(2);
        bytes[length++] = '\\';
        bytes[length++] = 'N';
        return this;
    }

    @Override
    CopyText uuid(long high, long low) {
        separate();
        room(36);
        hex(high >>> 32, 8);
        bytes[length++] = '-';
        hex(high >>> 16, 4);
        bytes[length++] = '-';
        hex(high, 4);
        bytes[length++] = '-';
        hex(low >>> 48, 4);
        bytes[length++] = '-';
        hex(low, 12);
        return this;
    }

    @Override
    CopyText integer(long value) {
        separate();
        room(20);
        number(value, 1);
        return this;
    }

    @Override
    CopyText cents(long value) {
        return fixed(value, 2);
    }

    @Override
    CopyText microdegrees(long value) {
        return fixed(value, 6);
    }

    private CopyText fixed(long value, int decimals) {
        separate();
        room(22);
        long rest = value;
        if (rest < 0) {
            bytes[length++] = '-';
            rest = -rest;
        }
        long power = 1;
        for (int digit = 0; digit < decimals; digit++) {
            power *= 10;
        }
        number(rest / power, 1);
        bytes[length++] = '.';
        number(rest % power, decimals);
        return this;
    }

    @Override
    CopyText timestamp(long epochSeconds) {
        separate();
        room(19);
        long days = Math.floorDiv(epochSeconds, SECONDS_PER_DAY);
        long second = Math.floorMod(epochSeconds, SECONDS_PER_DAY);
        // Days since 1970 to a date of the Gregorian calendar, counting years from March.
        long shifted = days + 719_468;
        long era = Math.floorDiv(shifted, 146_097);
        long dayOfEra = shifted - era * 146_097;
        long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long marchMonth = (5 * dayOfYear + 2) / 153;
        long day = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
        long month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        number(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
        bytes[length++] = '-';
        number(month, 2);
        bytes[length++] = '-';
        number(day, 2);
        bytes[length++] = ' ';
        number(second / 3_600, 2);
        bytes[length++] = ':';
        number(second / 60 % 60, 2);
        bytes[length++] = ':';
        number(second % 60, 2);
        return this;
    }

    @Override
    void endRow() {
        room(1);
        bytes[length++] = '\n';
        rowBegun = false;
    }

    private void separate() {
        if (rowBegun) {
            room(1);
            bytes[length++] = '\t';
        }
        rowBegun = true;
    }

    private void hex(long value, int digits) {
        for (int digit = digits - 1; digit >= 0; digit--) {
            bytes[length++] = HEX[(int) (value >>> (4 * digit)) & 15];
        }
    }

    private void number(long value, int minDigits) {
        int width = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            width++;
        }
        int digits = Math.max(minDigits, width);
        long rest = value;
        for (int position = length + digits - 1; position >= length; position--) {
            bytes[position] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }
}

package io.movr.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Consecutive rows of a table that go to the server in one COPY.
 *
 * @param from the first row
 * @param to one past the last
 */
record Chunk(Table table, long from, long to) {

    private static final long MAX_ROWS = 50_000;
    private static final int BUFFER_BYTES = 1 << 16;

    /** Takes bytes of rows, as many as are ready. */
    interface Sink {
        void send(byte[] bytes, int length, long rows) throws IOException;
    }

    /** Returns all rows of a dataset, parents before children, the long tables in pieces. */
    static List<Chunk> of(DatasetSpec spec) {
        return of(spec, MAX_ROWS);
    }

    /** Returns the same in pieces of a size. */
    static List<Chunk> of(DatasetSpec spec, long maxRows) {
        return Arrays.stream(Table.values())
                .flatMap(table -> of(spec, table, maxRows).stream())
                .toList();
    }

    /** Returns all rows of a table. */
    static List<Chunk> of(DatasetSpec spec, Table table) {
        return of(spec, table, MAX_ROWS);
    }

    private static List<Chunk> of(DatasetSpec spec, Table table, long maxRows) {
        List<Chunk> chunks = new ArrayList<>();
        long rows = spec.count(table);
        for (long from = 0; from < rows; from += maxRows) {
            chunks.add(new Chunk(table, from, Math.min(rows, from + maxRows)));
        }
        return chunks;
    }

    /**
     * Generates the rows, one buffer at a time. The socket's buffer keeps the server busy while the next one is generated.
     */
    void write(Dataset dataset, CopyRows.Format format, Sink sink) throws IOException {
        CopyRows rows = format.begin(BUFFER_BYTES + 4_096);
        long pending = 0;
        for (long row = from; row < to; row++) {
            dataset.write(table, row, rows);
            pending++;
            boolean last = row == to - 1;
            if (last) {
                rows.end();
            }
            if (last || rows.length() >= BUFFER_BYTES) {
                sink.send(rows.bytes(), rows.length(), pending);
                rows.clear();
                pending = 0;
            }
        }
    }
}

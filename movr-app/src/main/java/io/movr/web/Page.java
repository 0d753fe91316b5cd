package io.movr.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, in the order of a key. Pages are found by key and not by number: concurrent inserts and deletes cause no row
 * to be skipped or repeated, and the last page costs as little as the first.
 *
 * @param items the rows
 * @param next what to send as {@code after} to get the rows behind them; missing when there are none
 */
public record Page<T>(
        List<T> items,

        @Schema(description = "Send it as `after` to get the next page; missing on the last page") @Nullable
        String next) {

    /**
     * Returns a page of rows. The query has read one row more than the page holds, to find out whether there is another page.
     */
    public static <R, T> Page<T> of(List<R> rows, int size, Function<R, T> shown, Function<R, String> key) {
        boolean more = rows.size() > size;
        List<R> kept = more ? rows.subList(0, size) : rows;
        return new Page<>(kept.stream().map(shown).toList(), more ? key.apply(kept.get(size - 1)) : null);
    }
}

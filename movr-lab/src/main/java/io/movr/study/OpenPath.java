package io.movr.study;

import io.movr.cache.CachingDataSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An open path from the client to the database.
 *
 * @param cache the cache on the path, closed with it; {@code null} if there is none
 */
record OpenPath(DataSource source, @Nullable CachingDataSource cache) implements AutoCloseable {

    @Override
    public void close() {
        if (cache != null) {
            cache.close();
        }
    }
}

package io.movr.dataset;

import io.movr.UserError;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.BulkLoader.Result;
import java.sql.Connection;

/** How the rows of a load are committed. */
interface LoadStrategy {

    /**
     * The rows to load.
     *
     * @param connections that carry rows at once
     * @param withForeignKeys whether the tables have foreign keys already
     */
    record Load(DatasetSpec spec, int connections, IfFilled ifFilled, boolean withForeignKeys) {}

    /**
     * Loads the rows.
     *
     * @param control the connection that stays open until the load has ended
     * @throws UserError when the tables are filled and may not be touched, or when the load fails
     */
    Result load(Connection control, Load load);
}

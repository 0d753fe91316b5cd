package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import org.jspecify.annotations.Nullable;

/** A backup of a database of CockroachDB, from which others with the same rows are made faster than by loading them. */
final class Backup {

    private final Databases databases;
    private final Gateway original;
    /** {@code null} where the user may not make one, or not use it. */
    private @Nullable Gateway files;

    /** Backs a database up, if the user may. */
    Backup(Databases databases, Gateway original) {
        this.databases = databases;
        this.original = original;
        try {
            files = databases.backUp(original, "backup");
        } catch (UserError refused) {
            requireRefusal(refused);
        }
    }

    /** Another database with what was backed up; {@code null} if the user may not do that. */
    @Nullable
    Gateway restored(String name) {
        if (files == null) {
            return null;
        }
        try {
            return databases.restore(files, original, name);
        } catch (UserError refused) {
            requireRefusal(refused);
            files = null;
            return null;
        }
    }

    private static void requireRefusal(UserError refused) {
        if (!SqlState.INSUFFICIENT_PRIVILEGE.equals(SqlState.of(refused))) {
            throw refused;
        }
    }
}

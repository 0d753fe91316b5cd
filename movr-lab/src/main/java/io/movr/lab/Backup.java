package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import org.jspecify.annotations.Nullable;

/** A backup of a database on CockroachDB. Restoring it is faster than loading the same rows again. */
final class Backup {

    private final Databases databases;
    private final Gateway original;
    /** {@code null} if the user may not make a backup, or not restore it. */
    private @Nullable Gateway files;

    /** Backs up a database, if the user has the right to. */
    Backup(Databases databases, Gateway original) {
        this.databases = databases;
        this.original = original;
        try {
            files = databases.backUp(original, "backup");
        } catch (UserError refused) {
            requireRefusal(refused);
        }
    }

    /** Restores the backup under another name; returns {@code null} if the user may not do that. */
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

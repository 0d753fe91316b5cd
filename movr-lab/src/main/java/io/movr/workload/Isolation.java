package io.movr.workload;

import io.movr.UserError;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The isolation level of transactions. */
public enum Isolation {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    private final int jdbc;

    Isolation(int jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the constant for {@link Connection#setTransactionIsolation}. */
    public int jdbc() {
        return jdbc;
    }

    /** Returns its name in SQL. */
    public String sql() {
        return name().replace('_', ' ');
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a level by its name, its words parted by hyphens, underscores or spaces.
     *
     * @throws UserError when there is none
     */
    public static Isolation named(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT).replaceAll("[_ ]", "-");
        return Arrays.stream(values())
                .filter(level -> level.id().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no isolation level '" + text + "': choose "
                        + Arrays.stream(values()).map(Isolation::id).collect(Collectors.joining(", "))));
    }
}

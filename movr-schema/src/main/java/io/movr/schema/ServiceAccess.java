package io.movr.schema;

import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The privileges that a role of PostgreSQL needs to serve MovR's tables. */
public final class ServiceAccess {

    private static final String MISSING = """
            SELECT problem FROM (
                SELECT 1 AS part, 'the server is a standby, which is read-only' AS problem WHERE pg_is_in_recovery()
                UNION ALL
                SELECT 2, 'transactions of role ' || quote_ident(current_user)
                    || ' are read-only (default_transaction_read_only is on)'
                FROM pg_settings
                WHERE NOT pg_is_in_recovery() AND name = 'default_transaction_read_only' AND reset_val = 'on'
                UNION ALL
                SELECT 3, 'role ' || quote_ident(current_user) || ' lacks '
                    || string_agg(privilege || ' on ' || name, ', ' ORDER BY name, privilege)
                FROM (VALUES ('users', 'INSERT'), ('users', 'SELECT'), ('users', 'UPDATE'),
                        ('vehicles', 'INSERT'), ('vehicles', 'SELECT'), ('vehicles', 'UPDATE'),
                        ('rides', 'INSERT'), ('rides', 'SELECT'), ('rides', 'UPDATE'),
                        ('vehicle_location_histories', 'INSERT'), ('vehicle_location_histories', 'SELECT'),
                        ('promo_codes', 'INSERT'), ('promo_codes', 'SELECT'),
                        ('user_promo_codes', 'INSERT'), ('user_promo_codes', 'SELECT'), ('user_promo_codes', 'UPDATE'),
                        ('idempotency_keys', 'DELETE'), ('idempotency_keys', 'INSERT'), ('idempotency_keys', 'SELECT')
                    ) AS needed (name, privilege)
                WHERE to_regclass(name) IS NOT NULL
                  AND NOT CASE privilege WHEN 'DELETE' THEN has_table_privilege(name, privilege)
                      ELSE has_any_column_privilege(name, privilege) END
            ) AS problems
            WHERE problem IS NOT NULL ORDER BY part""";

    private ServiceAccess() {}

    /**
     * Returns the missing privileges of a connection's role, one phrase each; empty if none is missing.
     *
     * @param connection of PostgreSQL
     */
    public static List<String> problems(Connection connection) throws SQLException {
        return Rows.query(connection, MISSING, List.of()).stream()
                .map(row -> row.get(0))
                .toList();
    }
}

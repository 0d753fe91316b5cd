package io.movr;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An empty database, on a server that all tests of this virtual machine share and that ends with it. */
public final class TestDatabase {

    private static EmbeddedPostgres server;
    private static int databases;

    private Gateway gateway;

    private TestDatabase(Gateway gateway) {
        this.gateway = gateway;
    }

    public static synchronized TestDatabase fresh() throws SQLException {
        if (server == null) {
            server = EmbeddedPostgres.temporary();
        }
        String name = "test_" + databases++;
        new TestDatabase(server.gateway()).execute("CREATE DATABASE " + name);
        return new TestDatabase(server.gateway().toDatabase(name));
    }

    public Gateway gateway() {
        return gateway;
    }

    /** Its sessions have more start-up options from now on, such as {@code -c name=value}. */
    public void withOptions(String more) {
        gateway = gateway.withOptions(more);
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Every row as text, its columns parted by {@code |}. */
    public List<String> query(String sql) throws SQLException {
        return query(gateway, sql);
    }

    /** The same, of any database. */
    public static List<String> query(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                List<String> columns = new ArrayList<>();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    columns.add(rows.getString(column));
                }
                all.add(String.join("|", columns));
            }
            return all;
        }
    }
}

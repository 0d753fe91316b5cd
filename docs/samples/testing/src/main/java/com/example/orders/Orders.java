package com.example.orders;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads and places the orders of customers. */
final class Orders {

    static final String TOTAL = "SELECT sum(total) FROM orders WHERE customer = ?";
    static final String PLACE = "INSERT INTO orders (customer, total) VALUES (?, ?) RETURNING id";

    private final Connection connection;

    Orders(Connection connection) {
        this.connection = connection;
    }

    long total(int customer) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TOTAL)) {
            statement.setInt(1, customer);
            return number(statement);
        }
    }

    long place(int customer, int total) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PLACE)) {
            statement.setInt(1, customer);
            statement.setInt(2, total);
            return number(statement);
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }
}

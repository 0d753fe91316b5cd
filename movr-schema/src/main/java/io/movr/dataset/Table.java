package io.movr.dataset;

import java.util.List;
import java.util.Locale;

/**
 * The tables of MovR ordered so that every table follows the tables that its foreign keys reference, with their columns in
 * order.
 */
public enum Table {
    USERS(0, "id city name address credit_card"),
    VEHICLES(1, "id city type owner_id creation_time status current_location ext"),
    RIDES(2, "id city vehicle_city rider_id vehicle_id start_address end_address start_time end_time revenue"),
    VEHICLE_LOCATION_HISTORIES(3, "city ride_id timestamp lat long"),
    PROMO_CODES(4, "code description creation_time expiration_time rules"),
    USER_PROMO_CODES(5, "city user_id code timestamp usage_count");

    private final int number;
    private final String columns;

    Table(int number, String columns) {
        this.number = number;
        this.columns = columns;
    }

    /** Returns its place in that order, from 0. It is part of what decides the rows, and never changes. */
    int number() {
        return number;
    }

    /** Returns its name in SQL. */
    public String sql() {
        return name().toLowerCase(Locale.ROOT);
    }

    public List<String> columns() {
        return List.of(columns.split(" ", -1));
    }

    /** Returns the statement that receives rows of this table in the text format of COPY. */
    public String copyStatement() {
        return "COPY " + sql() + " (\"" + String.join("\", \"", columns()) + "\") FROM STDIN";
    }

    String copyStatement(CopyRows.Format format) {
        return copyStatement() + (format == CopyRows.Format.BINARY ? " BINARY" : "");
    }
}

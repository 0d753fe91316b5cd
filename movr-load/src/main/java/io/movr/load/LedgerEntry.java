package io.movr.load;

import io.movr.UserError;

/**
 * A write that may have been done, as a line of {@code ledger.csv}.
 *
 * @param kind the operation's label
 * @param city the city of the row
 * @param id the row: the id of a user, vehicle or ride, {@code ride@latitude:longitude}, {@code code} or
 *     {@code user@code}. Where the service gives the id and no answer came: {@code rider@vehicle} of a ride, and empty
 *     for a user and a vehicle
 * @param key the idempotency key
 * @param acknowledged whether the service has acknowledged it
 */
record LedgerEntry(String kind, String city, String id, String key, boolean acknowledged) {

    static final String HEADER = "kind,city,id,key,outcome";
    private static final String ACKNOWLEDGED = "acknowledged";
    private static final String UNKNOWN = "unknown";

    String line() {
        return kind + "," + city + "," + id + "," + key + "," + (acknowledged ? ACKNOWLEDGED : UNKNOWN);
    }

    /** Reads a line. */
    static LedgerEntry parse(String line) {
        String[] fields = line.split(",", -1);
        if (fields.length != 5 || !(fields[4].equals(ACKNOWLEDGED) || fields[4].equals(UNKNOWN))) {
            throw new UserError("'" + line + "' is no line of a ledger, which is " + HEADER);
        }
        return new LedgerEntry(fields[0], fields[1], fields[2], fields[3], fields[4].equals(ACKNOWLEDGED));
    }
}

package io.movr.dataset;

import io.movr.UserError;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The parameters of a dataset: the same values give the same rows, byte for byte, on every machine and Java version.
 *
 * @param seed any number
 * @param cities at least one, each once; rows of one city lie together, and every city has about as many
 * @param users at least one a city
 * @param vehicles at least one a city
 * @param rides 0 or more
 * @param histories locations recorded on rides, 0 or more
 * @param promoCodes 0 or more
 * @param published whether the rows that the tutorial's statements name are among them
 */
public record DatasetSpec(
        long seed,
        List<String> cities,
        long users,
        long vehicles,
        long rides,
        long histories,
        long promoCodes,
        boolean published) {

    private static final long MAX_ROWS = 1_000_000_000L;
    private static final Pattern CITY = Pattern.compile("[\\p{L}][\\p{L} .'-]{0,63}");

    public DatasetSpec {
        cities = List.copyOf(cities);
        if (cities.isEmpty()) {
            throw new UserError("--cities is empty: name at least one city");
        }
        if (new HashSet<>(cities).size() != cities.size()) {
            throw new UserError("A city is named twice in --cities: name each once");
        }
        for (String city : cities) {
            if (!CITY.matcher(city).matches()) {
                throw new UserError(
                        "'" + city + "' in --cities is not a name of a city: use letters, spaces, dots, hyphens and"
                                + " apostrophes, 64 at most");
            }
        }
        least("users", users, cities.size(), "one a city");
        least("vehicles", vehicles, cities.size(), "one a city");
        least("rides", rides, 0, "none");
        least("histories", histories, 0, "none");
        least("promo-codes", promoCodes, 0, "none");
        if (histories > 0 && rides == 0) {
            throw new UserError("histories are recorded on rides, and there are none: ask for rides too");
        }
    }

    /** Returns a promo code for every fourth user, while there are codes. */
    public long userPromoCodes() {
        return promoCodes == 0 ? 0 : users / 4;
    }

    public long count(Table table) {
        return switch (table) {
            case USERS -> users;
            case VEHICLES -> vehicles;
            case RIDES -> rides;
            case VEHICLE_LOCATION_HISTORIES -> histories;
            case PROMO_CODES -> promoCodes;
            case USER_PROMO_CODES -> userPromoCodes();
        };
    }

    public long totalRows() {
        long total = 0;
        for (Table table : Table.values()) {
            total += count(table);
        }
        return total;
    }

    /**
     * Returns a dataset with a multiple of the rows of each table, in the same cities.
     *
     * @throws UserError if these exceed the maximum of a dataset
     */
    public DatasetSpec times(int scale) {
        return new DatasetSpec(
                seed,
                cities,
                scale * users,
                scale * vehicles,
                scale * rides,
                scale * histories,
                scale * promoCodes,
                published);
    }

    public DatasetSpec withoutPublishedRows() {
        return new DatasetSpec(seed, cities, users, vehicles, rides, histories, promoCodes, false);
    }

    private static void least(String option, long count, long least, String words) {
        if (count < least || count > MAX_ROWS) {
            throw new UserError(option + " " + count + " is out of range: at least " + least + " (" + words
                    + "), at most " + MAX_ROWS);
        }
    }
}

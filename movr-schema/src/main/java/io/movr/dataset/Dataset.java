package io.movr.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * MovR's rows. Each row is a function of the seed, the counts and its own number: any thread can generate any row without the
 * others, and the rider of a ride is computed without a look-up.
 *
 * <p>Only integer arithmetic and {@link Math#sqrt}, which is exact to the last bit everywhere, decide a value; what
 * could differ between Java versions, such as the text of a {@code double}, is not used.
 *
 * <p>Ids are spread evenly over a city's rows and ascend with them, so that rows arrive in the order of their primary
 * key. Some vehicles and riders are used far more than others; one user in twelve has never ridden; every vehicle that
 * is in use has exactly one ride that has not ended.
 */
public final class Dataset {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long PRIME = 2_654_435_761L;

    private static final long JULY = LocalDate.of(2018, 7, 1).toEpochSecond(LocalTime.MIN, ZoneOffset.UTC);
    private static final long DAY = 86_400;
    private static final int DAYS = 31;
    private static final long LAST_EVENING = JULY + (DAYS - 1) * DAY + 22 * 3_600;

    /** Rides by the hour of the day, in parts of their sum: two rush hours, quiet nights. */
    private static final int[] HOURS = {
        8, 5, 3, 2, 2, 5, 14, 32, 48, 40, 30, 32, 38, 36, 33, 36, 46, 60, 58, 44, 34, 28, 22, 14
    };
    /** Rides by the day of the week, Sunday first, as the month began on one. */
    private static final int[] WEEKDAYS = {85, 100, 103, 104, 106, 112, 98};

    /** One user in so many has never ridden. */
    private static final int DORMANT_EVERY = 12;

    private static final int DORMANT_AT = 7;

    /** One vehicle in so many is in use, if there is a ride for it. */
    private static final int IN_USE_EVERY = 5;

    private static final int IN_USE_AT = 2;

    private static final byte[][] FIRST_NAMES = lines("first-names.txt");
    private static final byte[][] SURNAMES = lines("surnames.txt");
    private static final byte[][] STREETS = lines("streets.txt");
    private static final byte[] SPACE = ascii(" ");
    private static final byte[][] TYPES = {ascii("bike"), ascii("scooter"), ascii("skateboard")};
    private static final byte[] AVAILABLE = ascii("available");
    private static final byte[] IN_USE = ascii("in_use");
    private static final byte[] LOST = ascii("lost");
    private static final String[] COLORS = {"black", "blue", "green", "red", "silver", "white", "yellow"};
    private static final String[][] BRANDS = {
        {"Cannondale", "Kona", "Merida", "Pinarello", "Santa Cruz", "Schwinn"},
        {"Bird", "Ninebot", "Okai", "Xiaomi"},
        {"Arbor", "Enjoi", "Landyachtz", "Powell"}
    };
    private static final byte[][][] EXTRAS = extras();
    private static final byte[][] CAMPAIGNS = {
        ascii("SUMMER-"), ascii("RIDE-"), ascii("COMMUTE-"), ascii("WEEKEND-"), ascii("WELCOME-")
    };
    private static final byte[] BASE_32 = ascii("ABCDEFGHJKLMNPQRSTUVWXYZ23456789");
    private static final Map<String, long[]> CENTERS_MICRODEGREES = Map.of(
            "new york", new long[] {40_712_800, -74_006_000},
            "boston", new long[] {42_360_100, -71_058_900},
            "washington dc", new long[] {38_907_200, -77_036_900},
            "seattle", new long[] {47_606_200, -122_332_100},
            "san francisco", new long[] {37_774_900, -122_419_400},
            "los angeles", new long[] {34_052_200, -118_243_700},
            "amsterdam", new long[] {52_367_600, 4_904_100},
            "paris", new long[] {48_856_600, 2_352_200},
            "rome", new long[] {41_902_800, 12_496_400});

    private final DatasetSpec spec;
    private final int cityCount;
    private final byte[][] cityNames;
    private final long[] keys;
    private final City[] cities;

    /** The numbers of a city's rows, on which its other rows depend. */
    private record City(
            long users,
            long riders,
            long vehicles,
            long rides,
            long openRides,
            long publishedUser,
            long publishedRide,
            List<MostUsed> mostUsed,
            long latitude,
            long longitude) {}

    /**
     * A vehicle that was published among the five most used.
     *
     * @param index its number among the city's vehicles
     * @param upTo the share of the city's rides that belong to it and to those before it, in parts of 2^53
     */
    private record MostUsed(UUID id, long index, long upTo) {}

    public Dataset(DatasetSpec spec) {
        this.spec = spec;
        this.cityCount = spec.cities().size();
        this.cityNames = new byte[cityCount][];
        this.keys = new long[Table.values().length];
        for (Table table : Table.values()) {
            keys[table.number()] = mix(spec.seed() * GOLDEN + table.number() + 1);
        }
        this.cities = new City[cityCount];
        for (int city = 0; city < cityCount; city++) {
            cityNames[city] = spec.cities().get(city).getBytes(StandardCharsets.UTF_8);
            cities[city] = city(city);
        }
    }

    public DatasetSpec spec() {
        return spec;
    }

    /** Appends a row of a table, numbered from 0. */
    void write(Table table, long row, CopyRows out) {
        switch (table) {
            case USERS -> writeUser(row, out);
            case VEHICLES -> writeVehicle(row, out);
            case RIDES -> writeRide(row, out);
            case VEHICLE_LOCATION_HISTORIES -> writeHistory(row, out);
            case PROMO_CODES -> writePromoCode(row, out);
            case USER_PROMO_CODES -> writeUserPromoCode(row, out);
        }
        out.endRow();
    }

    /** Returns when a ride began, in seconds since 1970. */
    long rideStart(long ride) {
        int city = cityOf(Table.RIDES, ride);
        long local = ride - first(Table.RIDES, city);
        if (isOpen(city, local)) {
            return LAST_EVENING + below(draw(Table.RIDES, ride, 3), 7_200);
        }
        int day = weighted(draw(Table.RIDES, ride, 3), WEEKDAY_SUMS);
        int hour = weighted(draw(Table.RIDES, ride, 4), HOUR_SUMS);
        return JULY + day * DAY + hour * 3_600L + below(draw(Table.RIDES, ride, 5), 3_600);
    }

    /** Returns when a ride ended, in seconds since 1970; negative when it has not. */
    long rideEnd(long ride) {
        int city = cityOf(Table.RIDES, ride);
        return isOpen(city, ride - first(Table.RIDES, city)) ? -1 : rideStart(ride) + rideSeconds(ride);
    }

    /** Returns the number of the user who took a ride. */
    long rider(long ride) {
        int city = cityOf(Table.RIDES, ride);
        long local = ride - first(Table.RIDES, city);
        long riders = cities[city].riders();
        long rank;
        if (isOpen(city, local)) {
            rank = (local - (cities[city].rides() - cities[city].openRides())) % riders;
        } else {
            double drawn = unit(draw(Table.RIDES, ride, 1));
            rank = Math.min(riders - 1, (long) (riders * (drawn * Math.sqrt(drawn))));
        }
        long shuffled = shuffle(rank, riders);
        long block = shuffled / (DORMANT_EVERY - 1);
        long inBlock = shuffled % (DORMANT_EVERY - 1);
        return first(Table.USERS, city) + block * DORMANT_EVERY + (inBlock < DORMANT_AT ? inBlock : inBlock + 1);
    }

    /** Returns the number of the vehicle that a ride was taken with. */
    long vehicle(long ride) {
        int city = cityOf(Table.RIDES, ride);
        City here = cities[city];
        long local = ride - first(Table.RIDES, city);
        if (isOpen(city, local)) {
            long nth = local - (here.rides() - here.openRides());
            return first(Table.VEHICLES, city) + nth * IN_USE_EVERY + IN_USE_AT;
        }
        // Multiples of the golden ratio fill the unit interval evenly, so that shares hold at every count.
        long drawn = (local * GOLDEN + keys[Table.RIDES.number()]) >>> 11;
        long taken = 0;
        for (MostUsed mostUsed : here.mostUsed()) {
            if (drawn < mostUsed.upTo()) {
                return first(Table.VEHICLES, city) + mostUsed.index();
            }
            taken = mostUsed.upTo();
        }
        double rest = (double) (drawn - taken) / (double) ((1L << 53) - taken);
        long rank = Math.min(here.vehicles() - 1, (long) (here.vehicles() * (rest * rest)));
        long index = shuffle(rank, here.vehicles());
        for (int step = 0; step < here.mostUsed().size() && isMostUsed(here, index); step++) {
            index = (index + 1) % here.vehicles();
        }
        return first(Table.VEHICLES, city) + index;
    }

    private static boolean isMostUsed(City city, long index) {
        for (MostUsed mostUsed : city.mostUsed()) {
            if (mostUsed.index() == index) {
                return true;
            }
        }
        return false;
    }

    /** Returns the id of a row of users, vehicles or rides, numbered from 0. */
    public UUID id(Table table, long row) {
        return new UUID(idHigh(table, row), idLow(table, row));
    }

    /** Returns the city of a row, numbered from 0. */
    public String city(Table table, long row) {
        return spec.cities().get(cityOf(table, row));
    }

    /** Returns the name of a user, numbered from 0. */
    public String userName(long user) {
        if (publishedUser(user)) {
            return PublishedRows.USER_NAME;
        }
        return new String(firstName(user), StandardCharsets.UTF_8) + " "
                + new String(surname(user), StandardCharsets.UTF_8);
    }

    long publishedRide() {
        int city = spec.cities().indexOf(PublishedRows.CITY);
        return city < 0 || cities[city].publishedRide() < 0
                ? -1
                : first(Table.RIDES, city) + cities[city].publishedRide();
    }

    private void writeUser(long user, CopyRows out) {
        int city = cityOf(Table.USERS, user);
        out.uuid(idHigh(Table.USERS, user), idLow(Table.USERS, user)).text(cityNames[city]);
        if (publishedUser(user)) {
            out.text(PublishedRows.USER_NAME.getBytes(StandardCharsets.UTF_8));
        } else {
            out.text(firstName(user), SPACE, surname(user));
        }
        address(draw(Table.USERS, user, 3), out);
        creditCard(draw(Table.USERS, user, 4), out);
    }

    private void writeVehicle(long vehicle, CopyRows out) {
        int city = cityOf(Table.VEHICLES, vehicle);
        long local = vehicle - first(Table.VEHICLES, city);
        long owner = first(Table.USERS, city) + below(draw(Table.VEHICLES, vehicle, 1), cities[city].users());
        long kind = below(draw(Table.VEHICLES, vehicle, 2), 10);
        int type = kind < 4 ? 0 : kind < 8 ? 1 : 2;
        byte[][] extras = EXTRAS[type];
        out.uuid(idHigh(Table.VEHICLES, vehicle), idLow(Table.VEHICLES, vehicle))
                .text(cityNames[city])
                .text(TYPES[type])
                .uuid(idHigh(Table.USERS, owner), idLow(Table.USERS, owner))
                .timestamp(JULY - below(draw(Table.VEHICLES, vehicle, 3), 365 * DAY));
        if (local % IN_USE_EVERY == IN_USE_AT && local / IN_USE_EVERY < cities[city].openRides()) {
            out.text(IN_USE);
        } else {
            out.text(below(draw(Table.VEHICLES, vehicle, 4), 20) == 0 ? LOST : AVAILABLE);
        }
        address(draw(Table.VEHICLES, vehicle, 5), out);
        out.json(extras[(int) below(draw(Table.VEHICLES, vehicle, 6), extras.length)]);
    }

    private void writeRide(long ride, CopyRows out) {
        int city = cityOf(Table.RIDES, ride);
        long rider = rider(ride);
        long vehicle = vehicle(ride);
        out.uuid(idHigh(Table.RIDES, ride), idLow(Table.RIDES, ride))
                .text(cityNames[city])
                .text(cityNames[city])
                .uuid(idHigh(Table.USERS, rider), idLow(Table.USERS, rider))
                .uuid(idHigh(Table.VEHICLES, vehicle), idLow(Table.VEHICLES, vehicle));
        address(draw(Table.RIDES, ride, 6), out);
        long start = rideStart(ride);
        if (isOpen(city, ride - first(Table.RIDES, city))) {
            out.nothing().timestamp(start).nothing().nothing();
            return;
        }
        address(draw(Table.RIDES, ride, 7), out);
        long seconds = rideSeconds(ride);
        long cents = 100 + 29 * ((seconds + 59) / 60);
        out.timestamp(start).timestamp(start + seconds).cents(cents);
    }

    private void writeHistory(long history, CopyRows out) {
        long rides = spec.rides();
        long ride = history * rides / spec.histories();
        long firstOfRide = -Math.floorDiv(-ride * spec.histories(), rides);
        int city = cityOf(Table.RIDES, ride);
        City here = cities[city];
        out.text(cityNames[city])
                .uuid(idHigh(Table.RIDES, ride), idLow(Table.RIDES, ride))
                .timestamp(rideStart(ride) + 10 * (history - firstOfRide))
                .microdegrees(
                        here.latitude() + below(draw(Table.VEHICLE_LOCATION_HISTORIES, history, 1), 80_000) - 40_000)
                .microdegrees(
                        here.longitude() + below(draw(Table.VEHICLE_LOCATION_HISTORIES, history, 2), 100_000) - 50_000);
    }

    private void writePromoCode(long promo, CopyRows out) {
        long percent = 5 * (1 + below(draw(Table.PROMO_CODES, promo, 2), 6));
        long created = JULY - below(draw(Table.PROMO_CODES, promo, 3), 60 * DAY);
        promoCode(promo, out);
        out.text(ascii(percent + "% off your next rides")).timestamp(created);
        long ending = below(draw(Table.PROMO_CODES, promo, 4), 20);
        if (ending < 12) {
            out.timestamp(created + (30 + below(draw(Table.PROMO_CODES, promo, 5), 90)) * DAY);
        } else if (ending < 17) {
            out.timestamp(LocalDate.of(2099, 12, 31).toEpochDay() * DAY);
        } else {
            out.nothing();
        }
        long limit = 10 * (1 + below(draw(Table.PROMO_CODES, promo, 6), 10));
        out.json(ascii("{\"type\": \"percent_discount\", \"value\": " + percent + ", \"max_uses\": " + limit + "}"));
    }

    private void writeUserPromoCode(long row, CopyRows out) {
        long user = 4 * row + 1;
        int city = cityOf(Table.USERS, user);
        long promo = below(draw(Table.USER_PROMO_CODES, row, 1), spec.promoCodes());
        out.text(cityNames[city]).uuid(idHigh(Table.USERS, user), idLow(Table.USERS, user));
        promoCode(promo, out);
        out.timestamp(JULY + below(draw(Table.USER_PROMO_CODES, row, 2), DAYS * DAY))
                .integer(1 + below(draw(Table.USER_PROMO_CODES, row, 3), 3));
    }

    private City city(int number) {
        long users = size(Table.USERS, number);
        long vehicles = size(Table.VEHICLES, number);
        long rides = size(Table.RIDES, number);
        long inUse = (vehicles + IN_USE_EVERY - 1 - IN_USE_AT) / IN_USE_EVERY;
        long rest = users % DORMANT_EVERY;
        long riders = (DORMANT_EVERY - 1) * (users / DORMANT_EVERY) + (rest <= DORMANT_AT ? rest : rest - 1);
        String name = spec.cities().get(number);
        boolean named = spec.published() && name.equals(PublishedRows.CITY);
        long[] center = CENTERS_MICRODEGREES.getOrDefault(name, new long[] {
            below(mix(keys[0] + number), 120_000_000) - 60_000_000,
            below(mix(keys[1] + number), 360_000_000) - 180_000_000
        });
        return new City(
                users,
                riders,
                vehicles,
                rides,
                Math.min(inUse, rides / 2),
                named ? stratum(PublishedRows.USER, users) : -1,
                named && rides > 0 ? stratum(PublishedRows.RIDE, rides) : -1,
                spec.published() ? mostUsed(number, vehicles) : List.of(),
                center[0],
                center[1]);
    }

    /**
     * Returns the published vehicles of a city; they are distributed over the cities in turn. Without them the most used vehicle
     * of n would have about 1/√n of a city's rides; each of these has about twice that, the first a little more.
     */
    private List<MostUsed> mostUsed(int city, long vehicles) {
        List<MostUsed> here = new ArrayList<>();
        List<UUID> published = PublishedRows.MOST_USED_VEHICLES;
        int inThisCity = 0;
        for (int number = city; number < published.size(); number += cityCount) {
            inThisCity++;
        }
        double most = Math.min(2.5 / Math.sqrt((double) vehicles), 0.7 / Math.max(1, inThisCity));
        double upTo = 0;
        for (int number = city; number < published.size(); number += cityCount) {
            UUID id = published.get(number);
            long index = stratum(id, vehicles);
            if (here.stream().anyMatch(other -> other.index() == index)) {
                continue;
            }
            upTo += most * (1 - 0.07 * number);
            here.add(new MostUsed(id, index, (long) (upTo * (1L << 53))));
        }
        return List.copyOf(here);
    }

    private boolean isOpen(int city, long localRide) {
        return localRide >= cities[city].rides() - cities[city].openRides();
    }

    private long rideSeconds(long ride) {
        double drawn = unit(draw(Table.RIDES, ride, 8));
        return 180 + (long) (3_420 * drawn * drawn);
    }

    private boolean publishedUser(long user) {
        int city = cityOf(Table.USERS, user);
        return user - first(Table.USERS, city) == cities[city].publishedUser();
    }

    private byte[] firstName(long user) {
        // The golden ratio again: each name has its share of the users, so that a count of names is near its mean.
        long drawn = (user * GOLDEN + keys[Table.USERS.number()]);
        return FIRST_NAMES[(int) below(drawn, FIRST_NAMES.length)];
    }

    private byte[] surname(long user) {
        return SURNAMES[(int) below(draw(Table.USERS, user, 2), SURNAMES.length)];
    }

    private static void address(long drawn, CopyRows out) {
        long number = 1 + below(mix(drawn), 999);
        byte[] street = STREETS[(int) below(drawn, STREETS.length)];
        byte[] digits = number < 10
                ? new byte[] {(byte) ('0' + number)}
                : number < 100
                        ? new byte[] {(byte) ('0' + number / 10), (byte) ('0' + number % 10)}
                        : new byte[] {
                            (byte) ('0' + number / 100), (byte) ('0' + number / 10 % 10), (byte) ('0' + number % 10)
                        };
        out.text(digits, SPACE, street);
    }

    /** Sixteen digits of which the last is the check digit of Luhn's formula. */
    private static void creditCard(long drawn, CopyRows out) {
        byte[] digits = new byte[16];
        digits[0] = '4';
        long rest = below(drawn, 100_000_000_000_000L);
        for (int position = 14; position > 0; position--) {
            digits[position] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        int sum = 0;
        for (int position = 0; position < 15; position++) {
            int digit = digits[position] - '0';
            int counted = position % 2 == 0 ? 2 * digit : digit;
            sum += counted > 9 ? counted - 9 : counted;
        }
        digits[15] = (byte) ('0' + (10 - sum % 10) % 10);
        out.text(digits);
    }

    private void promoCode(long promo, CopyRows out) {
        byte[] campaign = CAMPAIGNS[(int) below(draw(Table.PROMO_CODES, promo, 1), CAMPAIGNS.length)];
        // Multiplying by an odd number permutes the numbers of 40 bits: no two codes are alike.
        long number = (promo * PRIME + keys[Table.PROMO_CODES.number()]) & ((1L << 40) - 1);
        byte[] suffix = new byte[8];
        for (int position = 0; position < suffix.length; position++) {
            suffix[position] = BASE_32[(int) (number >>> (5 * position)) & 31];
        }
        out.text(campaign, suffix);
    }

    private long idHigh(Table table, long row) {
        UUID published = publishedId(table, row);
        if (published != null) {
            return published.getMostSignificantBits();
        }
        int city = cityOf(table, row);
        long step = Long.divideUnsigned(-1L, size(table, city));
        long local = row - first(table, city);
        long spread = local * step + Long.remainderUnsigned(draw(table, row, 10), step);
        return (spread & ~0xF000L) | 0x4000L;
    }

    private long idLow(Table table, long row) {
        UUID published = publishedId(table, row);
        if (published != null) {
            return published.getLeastSignificantBits();
        }
        return (draw(table, row, 11) & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
    }

    private @Nullable UUID publishedId(Table table, long row) {
        if (!spec.published()) {
            return null;
        }
        int number = cityOf(table, row);
        long local = row - first(table, number);
        City city = cities[number];
        return switch (table) {
            case USERS -> local == city.publishedUser() ? PublishedRows.USER : null;
            case RIDES -> local == city.publishedRide() ? PublishedRows.RIDE : null;
            case VEHICLES -> {
                for (MostUsed mostUsed : city.mostUsed()) {
                    if (mostUsed.index() == local) {
                        yield mostUsed.id();
                    }
                }
                yield null;
            }
            case VEHICLE_LOCATION_HISTORIES, PROMO_CODES, USER_PROMO_CODES -> null;
        };
    }

    /** Returns the row of n, evenly spread over all ids, whose place an id would take. */
    private static long stratum(UUID id, long rows) {
        long step = Long.divideUnsigned(-1L, rows);
        return Math.min(rows - 1, Long.divideUnsigned(id.getMostSignificantBits(), step));
    }

    private int cityOf(Table table, long row) {
        return (int) (((row + 1) * cityCount - 1) / spec.count(table));
    }

    private long first(Table table, int city) {
        return city * spec.count(table) / cityCount;
    }

    private long size(Table table, int city) {
        return first(table, city + 1) - first(table, city);
    }

    private long draw(Table table, long row, int field) {
        return mix(mix(keys[table.number()] + row * GOLDEN) + field * GOLDEN);
    }

    /** Permutes the numbers below a count, so that neighbours in rank are no neighbours in the table. */
    private static long shuffle(long rank, long count) {
        return (rank * (PRIME % count) + count / 3) % count;
    }

    private static long below(long drawn, long limit) {
        return Math.multiplyHigh(drawn >>> 1, limit << 1);
    }

    private static double unit(long drawn) {
        return (drawn >>> 11) * 0x1p-53;
    }

    private static int weighted(long drawn, int[] sums) {
        long target = below(drawn, sums[sums.length - 1]);
        int index = 0;
        while (sums[index] <= target) {
            index++;
        }
        return index;
    }

    /** Returns the finalizer of SplitMix64 (Steele, Lea and Flood 2014), which every bit of the input stirs. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    private static final int[] HOUR_SUMS = sums(HOURS);
    private static final int[] WEEKDAY_SUMS = sums(month());

    private static int[] month() {
        int[] days = new int[DAYS];
        for (int day = 0; day < DAYS; day++) {
            days[day] = WEEKDAYS[day % 7];
        }
        return days;
    }

    private static int[] sums(int[] weights) {
        int[] sums = new int[weights.length];
        int sum = 0;
        for (int index = 0; index < weights.length; index++) {
            sum += weights[index];
            sums[index] = sum;
        }
        return sums;
    }

    private static byte[][][] extras() {
        byte[][][] extras = new byte[BRANDS.length][][];
        for (int type = 0; type < BRANDS.length; type++) {
            List<byte[]> all = new ArrayList<>();
            for (String brand : BRANDS[type]) {
                for (String color : COLORS) {
                    String own = switch (type) {
                        case 0 -> "\"gears\": " + (color.length() % 3 * 7 + 7);
                        case 1 -> "\"max_speed_kmh\": " + (20 + brand.length() % 2 * 5);
                        default -> "\"length_cm\": " + (70 + color.length() * 5);
                    };
                    all.add(ascii("{\"brand\": \"" + brand + "\", \"color\": \"" + color + "\", " + own + "}"));
                }
            }
            extras[type] = all.toArray(byte[][]::new);
        }
        return extras;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[][] lines(String resource) {
        try (InputStream stream = Dataset.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("The list " + resource + " is missing from the jar");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetTest {

    private static final LocalDateTime DAY = LocalDateTime.of(2018, 7, 20, 0, 0);

    @Test
    void theSameSeedGivesTheSameBytesOnEveryMachineAndJavaVersion() throws Exception {
        assertThat(digest(Scale.TINY.spec(1)))
                .isEqualTo("ba218dd2832eee5d08c46594f38895176f9d58790cf4064ff48eda4bc45c38d0");
    }

    @Test
    void anotherSeedGivesOtherBytes() throws Exception {
        assertThat(digest(Scale.TINY.spec(2))).isNotEqualTo(digest(Scale.TINY.spec(1)));
    }

    @ParameterizedTest
    @EnumSource(Scale.class)
    void thePublishedVehiclesAreTheFiveMostUsed(Scale scale) {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(new Answers(scale.spec(seed))
                            .latestRidesOfMostUsedVehicles(5)
                            .keySet())
                    .containsExactlyElementsOf(PublishedRows.MOST_USED_VEHICLES);
        }
    }

    @Test
    void theCardinalitiesAtScaleTutorialComeNearThePublishedOnes() {
        Answers answers = new Answers(Scale.TUTORIAL.spec(1));
        assertThat(answers.countOfNamesBeginningWith("C")).isBetween(170L, 188L);
        assertThat(answers.distinctRiders(DAY, DAY.plusDays(1))).isBetween(1_990L, 2_006L);
        assertThat(answers.usersNamed(PublishedRows.USER_NAME)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, -7, Long.MAX_VALUE})
    void everyReferenceLeadsToARowOfTheSameCity(long seed) {
        Answers answers = new Answers(Scale.TINY.spec(seed));
        DatasetSpec spec = Scale.TINY.spec(seed);
        Set<String> users = keys(answers, spec, Table.USERS, 1, 0);
        Set<String> vehicles = keys(answers, spec, Table.VEHICLES, 1, 0);
        Set<String> rides = keys(answers, spec, Table.RIDES, 1, 0);
        assertThat(users).hasSize((int) spec.users());
        assertThat(rides).hasSize((int) spec.rides());
        assertThat(users).containsAll(keys(answers, spec, Table.VEHICLES, 1, 3));
        assertThat(users).containsAll(keys(answers, spec, Table.RIDES, 1, 3));
        assertThat(vehicles).containsAll(keys(answers, spec, Table.RIDES, 2, 4));
        assertThat(rides).containsAll(keys(answers, spec, Table.VEHICLE_LOCATION_HISTORIES, 0, 1));
        assertThat(users).containsAll(keys(answers, spec, Table.USER_PROMO_CODES, 0, 1));
    }

    @Test
    void aVehicleIsInUseExactlyWhenItHasOneRideThatHasNotEnded() {
        DatasetSpec spec = Scale.TINY.spec(1);
        Answers answers = new Answers(spec);
        Map<String, Integer> openRides = new HashMap<>();
        for (long ride = 0; ride < spec.rides(); ride++) {
            List<String> row = answers.row(Table.RIDES, ride);
            if (row.get(8).equals("\\N")) {
                openRides.merge(row.get(4), 1, Integer::sum);
            }
        }
        assertThat(openRides).isNotEmpty();
        for (long vehicle = 0; vehicle < spec.vehicles(); vehicle++) {
            List<String> row = answers.row(Table.VEHICLES, vehicle);
            assertThat(openRides.getOrDefault(row.get(0), 0))
                    .isEqualTo(row.get(5).equals("in_use") ? 1 : 0);
        }
    }

    @Test
    void someVehiclesAndRidersAreUsedFarMoreThanOthers() {
        DatasetSpec spec = Scale.QUICK.spec(1);
        Dataset dataset = new Dataset(spec);
        Map<Long, Integer> rides = new HashMap<>();
        for (long ride = 0; ride < spec.rides(); ride++) {
            rides.merge(dataset.rider(ride), 1, Integer::sum);
        }
        List<Integer> sorted = rides.values().stream().sorted().toList();
        assertThat(sorted.get(sorted.size() - 1)).isGreaterThan(5 * sorted.get(sorted.size() / 2));
    }

    @Test
    void idsAscendWithinACity() {
        DatasetSpec spec = Scale.QUICK.spec(1);
        Dataset dataset = new Dataset(spec);
        for (long ride = 1; ride < spec.rides(); ride++) {
            if (dataset.city(Table.RIDES, ride).equals(dataset.city(Table.RIDES, ride - 1))) {
                assertThat(Long.compareUnsigned(
                                dataset.id(Table.RIDES, ride - 1).getMostSignificantBits(),
                                dataset.id(Table.RIDES, ride).getMostSignificantBits()))
                        .isNegative();
            }
        }
    }

    @Test
    void creditCardsPassLuhnsCheck() {
        Answers answers = new Answers(Scale.TINY.spec(1));
        for (long user = 0; user < 200; user++) {
            String card = answers.row(Table.USERS, user).get(4);
            int sum = 0;
            for (int position = 0; position < card.length(); position++) {
                int digit = card.charAt(card.length() - 1 - position) - '0';
                int counted = position % 2 == 1 ? digit * 2 : digit;
                sum += counted / 10 + counted % 10;
            }
            assertThat(sum % 10).as(card).isZero();
        }
    }

    @Test
    void countsAndCitiesOfOnesOwnWork() {
        DatasetSpec spec = new DatasetSpec(5, List.of("são paulo", "oslo"), 3, 2, 7, 20, 4, true);
        Answers answers = new Answers(spec);
        assertThat(answers.row(Table.USERS, 0).get(1)).isEqualTo("são paulo");
        assertThat(answers.row(Table.USERS, 2).get(1)).isEqualTo("oslo");
        assertThat(keys(answers, spec, Table.VEHICLE_LOCATION_HISTORIES, 1, 2)).hasSize(20);
        assertThat(answers.publishedRide()).isEmpty();
    }

    @Test
    void countsThatCannotBeAreRefusedWithTheRule() {
        assertThatThrownBy(() -> new DatasetSpec(1, List.of("rome", "paris"), 1, 2, 0, 0, 0, true))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("users 1 is out of range: at least 2 (one a city)");
        assertThatThrownBy(() -> new DatasetSpec(1, List.of("rome"), 1, 2, 0, 9, 0, true))
                .hasMessageContaining("ask for rides too");
        assertThatThrownBy(() -> new DatasetSpec(1, List.of("a\tb"), 1, 2, 0, 0, 0, true))
                .hasMessageContaining("is not a name of a city");
    }

    private static Set<String> keys(Answers answers, DatasetSpec spec, Table table, int city, int id) {
        Set<String> keys = new HashSet<>();
        for (long row = 0; row < spec.count(table); row++) {
            List<String> columns = answers.row(table, row);
            keys.add(columns.get(city) + " " + columns.get(id));
        }
        return keys;
    }

    private static String digest(DatasetSpec spec) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        Dataset dataset = new Dataset(spec);
        for (Chunk chunk : Chunk.of(spec)) {
            chunk.write(dataset, CopyRows.Format.TEXT, (bytes, length, rows) -> digest.update(bytes, 0, length));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}

package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.StatementTimeout;
import io.movr.environment.TableBytes;
import io.movr.lab.RowWrites.Impossible;
import io.movr.report.LabResults;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The measurement of the price of a change: the sizes of its tables, the time to build, and the latency of writes. */
final class Pricing {

    private final Experiment experiment;
    private final SideDatabases databases;
    private final Function<MeasuredWrite, LabResults.Experiment> measure;
    private final List<TableBytes> before;
    private final List<TableBytes> after;
    private final List<LabResults.Write> writes = new ArrayList<>();
    private final List<String> notMeasured = new ArrayList<>();

    /**
     * Sets up the measurement of an experiment.
     *
     * @param measure measures a write on both sides
     */
    Pricing(Experiment experiment, SideDatabases databases, Function<MeasuredWrite, LabResults.Experiment> measure) {
        this.experiment = experiment;
        this.databases = databases;
        this.measure = measure;
        this.before = databases.tableBytes(experiment, experiment.before());
        this.after = databases.tableBytes(experiment, experiment.after());
    }

    /**
     * Measures the price.
     *
     * @param planned the names of the tables in the plans of the experiment
     */
    LabResults.Price price(Set<String> planned) {
        Set<String> tables = tables(planned);
        if (databases.sizesRefused() != null) {
            notMeasured.add("sizes: " + databases.sizesRefused());
        }
        for (MeasuredWrite write : experiment.pricedWrites()) {
            writes.add(measured(write, measure.apply(write)));
        }
        try {
            measureRows(tables);
        } catch (SQLException failed) {
            notMeasured.add("writes of one row: " + UserError.firstLine(failed));
        }
        return new LabResults.Price(
                experiment.id(),
                databases.buildSeconds(experiment, experiment.before()),
                databases.buildSeconds(experiment, experiment.after()),
                tables.stream().map(this::size).toList(),
                writes,
                notMeasured);
    }

    /** Returns the tables with some names; a name of several tables is left out. */
    private Set<String> tables(Set<String> planned) {
        Set<String> tables = new TreeSet<>();
        for (String name : planned) {
            Set<String> named = Stream.concat(before.stream(), after.stream())
                    .filter(one -> one.name().equals(name))
                    .map(TableBytes::table)
                    .collect(Collectors.toSet());
            if (named.size() > 1) {
                notMeasured.add(name + ": there are several tables of this name");
            } else {
                tables.addAll(named);
            }
        }
        return tables;
    }

    private LabResults.TableSize size(String table) {
        return new LabResults.TableSize(
                forPeople(table),
                sum(before, table, TableBytes::bytes),
                sum(after, table, TableBytes::bytes),
                sum(before, table, TableBytes::indexBytes),
                sum(after, table, TableBytes::indexBytes));
    }

    private static @Nullable Long sum(List<TableBytes> side, String table, Function<TableBytes, @Nullable Long> bytes) {
        List<@Nullable Long> parts = side.stream()
                .filter(one -> one.table().equals(table))
                .map(bytes)
                .toList();
        long sum = 0;
        for (Long part : parts) {
            if (part == null) {
                return null;
            }
            sum += part;
        }
        return parts.isEmpty() ? null : sum;
    }

    private static boolean has(List<TableBytes> side, String table) {
        return side.stream().anyMatch(one -> one.table().equals(table));
    }

    private static String forPeople(String table) {
        return table.replaceFirst("^public\\.", "");
    }

    /** Measures writes of one row of each table whose indexes differ, or of all tables if the change is of another kind. */
    private void measureRows(Set<String> tables) throws SQLException {
        Map<String, Set<String>> changed = new LinkedHashMap<>();
        Map<String, Set<String>> all = new LinkedHashMap<>();
        try (Connection onBefore = connect(gatewayBefore());
                Connection onAfter = connect(gatewayAfter())) {
            for (String table : tables) {
                Set<String> indexes = new HashSet<>(RowWrites.indexes(onBefore, table));
                Set<String> indexesAfter = RowWrites.indexes(onAfter, table);
                changed.put(table, difference(indexes, indexesAfter));
                indexes.addAll(indexesAfter);
                all.put(table, indexes);
            }
        }
        boolean ofIndexes = changed.values().stream().anyMatch(indexes -> !indexes.isEmpty());
        for (Map.Entry<String, Set<String>> table : changed.entrySet()) {
            if (!ofIndexes || !table.getValue().isEmpty()) {
                try {
                    measureRows(table.getKey(), table.getValue(), Objects.requireNonNull(all.get(table.getKey())));
                } catch (Impossible | SQLException impossible) {
                    notMeasured.add("writes of one row of " + forPeople(table.getKey()) + ": "
                            + UserError.firstLine(impossible));
                }
            }
        }
    }

    private static Set<String> difference(Set<String> one, Set<String> other) {
        Set<String> all = new HashSet<>(one);
        all.addAll(other);
        all.removeIf(each -> one.contains(each) && other.contains(each));
        return all;
    }

    private void measureRows(String table, Set<String> changedIndexes, Set<String> allIndexes)
            throws SQLException, Impossible {
        if (!has(before, table) || !has(after, table)) {
            throw new Impossible("only one side has it");
        }
        RowWrites rows;
        try (Connection connection = connect(gatewayBefore())) {
            rows = new RowWrites(connection, table, forPeople(table), changedIndexes, allIndexes);
        }
        for (Gateway side : sides()) {
            rows.tryOut(side);
        }
        for (MeasuredWrite write : rows.insertAndUpdates(experiment)) {
            measureRow(table, write);
        }
        for (Gateway side : sides()) {
            rows.insertAll(side);
        }
        measureRow(table, rows.delete(experiment));
        for (Gateway side : sides()) {
            rows.deleteAll(side);
        }
    }

    private void measureRow(String table, MeasuredWrite write) throws SQLException {
        for (Gateway side : sides()) {
            // VACUUM removes the dead rows of the write before.
            try (Connection connection = connect(side)) {
                Rows.execute(connection, Engine.of(connection).statisticsOf(table));
            }
        }
        LabResults.Experiment measured = measure.apply(write);
        if (measured.failure() == null) {
            writes.add(measured(write, measured));
        } else {
            notMeasured.add(
                    write.name() + ": " + measured.failure().lines().findFirst().orElse(""));
        }
    }

    private LabResults.Write measured(MeasuredWrite write, LabResults.Experiment measured) {
        LabResults.WriteCost onBefore = null;
        LabResults.WriteCost onAfter = null;
        if (measured.failure() == null) {
            try {
                onBefore = WriteCosts.of(gatewayBefore(), write.experiment().before());
                onAfter = WriteCosts.of(gatewayAfter(), write.experiment().after());
            } catch (SQLException failed) {
                notMeasured.add("write-ahead log of " + write.name() + ": " + UserError.firstLine(failed));
            }
        }
        return new LabResults.Write(write.name(), write.maxSlowdownPercent(), measured, onBefore, onAfter);
    }

    private List<Gateway> sides() {
        return List.of(gatewayBefore(), gatewayAfter());
    }

    private Gateway gatewayBefore() {
        return databases.at(experiment, experiment.before()).nearby();
    }

    private Gateway gatewayAfter() {
        return databases.at(experiment, experiment.after()).nearby();
    }

    private static Connection connect(Gateway database) throws SQLException {
        return StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect("movr-lab");
    }
}

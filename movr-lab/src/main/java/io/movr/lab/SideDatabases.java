package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.environment.StatementTimeout;
import io.movr.environment.TableBytes;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Named;
import io.movr.lab.Contents.Seeded;
import io.movr.lab.Contents.Source;
import io.movr.report.LabResults.Check;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The databases of the experiments of one region: one for each contents that sides read, and another one for each
 * contents that they write.
 */
final class SideDatabases implements ExperimentDatabases {

    private static final String TABLES =
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables"
                    + " WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension')"
                    + " AND schemaname NOT LIKE 'pg_temp%' ORDER BY 1";

    /** A database that sides need: for reading only, or for the experiments that write. */
    private record Need(Contents contents, boolean written) {}

    private final Cluster cluster;
    private final LabRequest request;
    private final Consumer<String> step;
    private final Map<Need, Gateway> made = new LinkedHashMap<>();
    private final Map<Need, Double> buildSeconds = new HashMap<>();
    private final Map<Need, List<TableBytes>> tableBytes = new HashMap<>();
    private final DatabaseCopies copies;
    private final Map<Gateway, Gateway> confined = new HashMap<>();
    private @Nullable String sizesRefused;
    private @Nullable Databases own;
    private final List<StageDatabases> stages = new ArrayList<>();

    /**
     * Makes the databases.
     *
     * @param step receives what is done next
     * @throws UserError if a database cannot be made
     */
    SideDatabases(
            Cluster cluster,
            LabRequest request,
            List<Experiment> experiments,
            LoadProgress progress,
            Consumer<String> step) {
        this.cluster = cluster;
        this.request = request;
        this.step = step;
        this.copies = new DatabaseCopies(cluster, request.folders(), experiments, this::own, step);
        Set<Need> needs = new LinkedHashSet<>();
        for (Experiment experiment : experiments) {
            needs.add(need(experiment, experiment.before()));
            needs.add(need(experiment, experiment.after()));
        }
        try {
            // The copies come first, while no session of this program prevents them.
            copyNamed(of(needs, Named.class));
            loadStages(of(needs, Movr.class), progress);
            runSeeds(of(needs, Seeded.class));
            // Sizes are read before the first run, because runs leave dead rows, and more of them on the side before.
            for (Experiment experiment : experiments) {
                if (experiment.isPriced()) {
                    measureTables(need(experiment, experiment.before()));
                    measureTables(need(experiment, experiment.after()));
                }
            }
        } catch (SQLException failed) {
            throw Closeables.closeAfter(
                    new UserError("Cannot prepare the databases: " + UserError.firstLine(failed), failed), this);
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, this);
        }
    }

    /** An experiment whose change has a price is written at the end. */
    private static Need need(Experiment experiment, Side side) {
        return new Need(side.contents(), experiment.writes() || experiment.isPriced());
    }

    /** Sizes may be missing in a price. */
    private void measureTables(Need need) throws SQLException {
        Gateway database = Objects.requireNonNull(made.get(need));
        try {
            tableBytes.put(need, TableBytes.in(database));
        } catch (SQLException refused) {
            sizesRefused = UserError.firstLine(refused);
            tableBytes.put(need, TableBytes.unknownIn(database));
        }
    }

    private static List<Need> of(Set<Need> needs, Class<? extends Source> source) {
        return needs.stream()
                .filter(need -> source.isInstance(need.contents().source()))
                .toList();
    }

    private Databases own() {
        Databases databases = own;
        if (databases == null) {
            databases = new Databases(cluster);
            own = databases;
        }
        return databases;
    }

    private void copyNamed(List<Need> needs) throws SQLException {
        Optional<String> inPlace = request.folders().inPlace();
        if (needs.isEmpty()) {
            return;
        }
        if (inPlace.isPresent()) {
            copies.requireTypedTwice(inPlace.get());
            needs.forEach(need -> made.put(need, cluster.gateway()));
            return;
        }
        List<Gateway> copied = copies.copies(needs.stream().map(Need::contents).toList());
        for (int index = 0; index < needs.size(); index++) {
            finish(needs.get(index), copied.get(index));
        }
    }

    private void loadStages(List<Need> needs, LoadProgress progress) throws SQLException {
        for (int scale : new TreeSet<>(needs.stream().map(SideDatabases::scale).toList())) {
            List<Need> ofScale =
                    needs.stream().filter(need -> scale(need) == scale).toList();
            loadStages(ofScale, request.dataset().times(scale), progress);
        }
    }

    private static int scale(Need need) {
        return ((Movr) need.contents().source()).scale();
    }

    private void loadStages(List<Need> needs, DatasetSpec rows, LoadProgress progress) throws SQLException {
        Set<Stage> read = EnumSet.noneOf(Stage.class);
        Set<Stage> written = EnumSet.noneOf(Stage.class);
        for (Need need : needs) {
            Optional<Stage> stage = need.contents().stage();
            if (stage.isPresent() && need.written()) {
                written.add(stage.get());
            } else {
                read.add(((Movr) need.contents().source()).stage());
            }
        }
        StageDatabases prepared =
                new StageDatabases(cluster, rows, request.connections(), read, written, progress, step);
        stages.add(prepared);
        for (Need need : needs) {
            Optional<Stage> stage = need.contents().stage();
            if (stage.isPresent()) {
                made.put(need, prepared.at(stage.get(), need.written()));
            } else {
                Stage from = ((Movr) need.contents().source()).stage();
                finish(need, prepared.another(from, name(from.id())));
            }
        }
    }

    private void runSeeds(List<Need> needs) throws SQLException {
        Map<Source, Gateway> seeded = new HashMap<>();
        for (Need need : needs) {
            Seeded seed = (Seeded) need.contents().source();
            if (!cluster.engine().copiesDatabases()) {
                finish(need, seeded(seed));
                continue;
            }
            Gateway first = seeded.get(seed);
            if (first == null) {
                first = seeded(seed);
                seeded.put(seed, first);
            }
            // A copy has the same pages on both sides.
            finish(need, own().copy(first, name("side")));
        }
    }

    private Gateway seeded(Seeded seed) {
        step.accept("Running " + seed.script().file());
        Gateway database = own().create(name("seed"));
        Gateway confined = confined(database);
        seed.schema().ifPresent(schema -> schema.run(confined, database));
        seed.script().run(confined, database);
        return database;
    }

    private void finish(Need need, Gateway database) throws SQLException {
        Contents contents = need.contents();
        contents.changes().ifPresent(script -> {
            step.accept("Running " + script.file());
            buildSeconds.put(need, script.run(confined(database), database));
        });
        // A database that scripts have changed is used with the rights that they had.
        boolean scripted = contents.changes().isPresent() || contents.source() instanceof Seeded;
        Gateway used = scripted ? confined(database) : database;
        gatherStatistics(used);
        made.put(need, used);
    }

    /** Returns the database with the rights of its owner, with which the files of a folder run. */
    private Gateway confined(Gateway database) {
        if (cluster.engine() != Engine.POSTGRESQL || request.folders().inPlace().isPresent()) {
            return database;
        }
        if (confined.containsValue(database)) {
            return database;
        }
        Gateway asOwner = confined.computeIfAbsent(database, own()::confined);
        Optional<String> unconfined = own().unconfined();
        if (unconfined.isPresent() && !copies.foreignTables().isEmpty()) {
            throw new UserError("The database has the foreign tables " + String.join(", ", copies.foreignTables())
                    + ", and what a copy does to them cannot be prevented, because a role that owns nothing but the copy"
                    + " cannot be used: " + unconfined.get() + ". Name a user with CREATEROLE who owns what is copied");
        }
        return asOwner;
    }

    private void gatherStatistics(Gateway database) throws SQLException {
        Engine engine = cluster.engine();
        try (Connection connection = StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect("movr-lab")) {
            for (List<String> table : Rows.query(connection, TABLES, List.of())) {
                Rows.execute(connection, engine.statisticsOf(table.get(0)));
            }
        }
        if (cluster.embedded() && engine == Engine.POSTGRESQL) {
            try (Connection connection = StatementTimeout.bounded(cluster.gateway(), StatementTimeout.WHOLE_TABLE_LIMIT)
                    .connect("movr-lab")) {
                Rows.execute(connection, "CHECKPOINT");
            }
        }
    }

    /** Returns a name that no other database has. */
    private String name(String what) {
        return what + "-" + made.size();
    }

    @Override
    public Endpoints at(Experiment experiment, Side side) {
        Gateway database = Objects.requireNonNull(made.get(need(experiment, side)), experiment.id());
        return Endpoints.at(experiment.isBuiltIn() ? database : confined(database));
    }

    @Override
    public @Nullable Map<String, Long> rows(Experiment experiment) throws SQLException {
        return experiment.isBuiltIn()
                ? null
                : rows(
                        at(experiment, experiment.before()).nearby(),
                        experiment.tables().named());
    }

    /** Returns the seconds that the script of a side took; {@code null} if it has none. */
    @Nullable
    Double buildSeconds(Experiment experiment, Side side) {
        return buildSeconds.get(need(experiment, side));
    }

    /** Returns the sizes of the tables of a side before the first run, of an experiment whose change has a price. */
    List<TableBytes> tableBytes(Experiment experiment, Side side) {
        return Objects.requireNonNull(tableBytes.get(need(experiment, side)), experiment.id());
    }

    /** Returns why the server did not report the sizes of tables; {@code null} if it did. */
    @Nullable
    String sizesRefused() {
        return sizesRefused;
    }

    /** Returns how the named database was copied, what the copies lack, and what their scripts may do beyond them. */
    @Override
    public List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        copies.check().ifPresent(checks::add);
        if (own != null && !own.settingsNotCopied().isEmpty()) {
            checks.add(new Check(
                    "settings",
                    "warning",
                    "the copies lack these settings of the source, which "
                            + cluster.gateway().shown() + " may not set: " + String.join(", ", own.settingsNotCopied()),
                    "GRANT SET ON PARAMETER … TO the user"));
        }
        if (own != null) {
            own.unconfined()
                    .ifPresent(reason -> checks.add(new Check(
                            "rights",
                            "warning",
                            "the scripts run with all rights of the user of "
                                    + cluster.gateway().shown()
                                    + ", because a role that owns the copies and nothing else cannot be used: "
                                    + reason,
                            "name a user with CREATEROLE who owns what is copied")));
        }
        if (!copies.foreignTables().isEmpty()) {
            checks.add(new Check(
                    "foreign tables",
                    "warning",
                    "the copies do not reach the servers of the foreign tables "
                            + String.join(", ", copies.foreignTables()),
                    ""));
        }
        return checks;
    }

    /** Returns any database in which no script has run. */
    Gateway any() {
        return stages.isEmpty() ? cluster.gateway() : stages.get(0).any();
    }

    /**
     * Counts rows.
     *
     * @param tables the tables, or all tables of the database if none is named
     */
    private static Map<String, Long> rows(Gateway database, List<String> tables) throws SQLException {
        Map<String, Long> rows = new LinkedHashMap<>();
        try (Connection connection = StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect("movr-lab")) {
            List<String> counted = new ArrayList<>(tables);
            if (counted.isEmpty()) {
                Rows.query(connection, TABLES, List.of()).forEach(row -> counted.add(row.get(0)));
            }
            for (String table : counted) {
                rows.put(
                        table.replaceFirst("^public\\.", ""),
                        Long.parseLong(Rows.one(connection, "SELECT count(*) FROM " + table)));
            }
        }
        return rows;
    }

    @Override
    public void close() {
        List<Runnable> all = new ArrayList<>();
        stages.forEach(one -> all.add(one::close));
        if (own != null) {
            // This comes last, because it also drops the role that owns the others.
            all.add(own::close);
        }
        Closeables.<Runnable, RuntimeException>closeAll(all, Runnable::run);
    }
}

package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LogicalCopy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.environment.TableBytes;
import io.movr.environment.Unanswered;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Named;
import io.movr.lab.Contents.Seeded;
import io.movr.lab.Contents.Source;
import io.movr.lab.Experiment.Side;
import io.movr.lab.ExperimentFolders.CopyKind;
import io.movr.report.ByteSize;
import io.movr.report.LabResults.Check;
import io.movr.schema.Stage;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The databases of the experiments of one region: one for each contents that sides need, and another one where they are
 * written. All of them are dropped when this is closed.
 */
final class SideDatabases implements AutoCloseable {

    private static final String TABLES =
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables"
                    + " WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension')"
                    + " AND schemaname NOT LIKE 'pg_temp%' ORDER BY 1";

    private static final String ALL_FOREIGN_TABLES = "SELECT ftrelid::regclass::text FROM pg_foreign_table ORDER BY 1";

    /** Those that statements reach by name, by a partitioned table, or by a view. */
    private static final String FOREIGN_TABLES = """
            WITH RECURSIVE reached(oid) AS (
                SELECT oid FROM pg_class WHERE relname = ANY (?)
                UNION SELECT more.oid FROM reached, LATERAL (
                    SELECT inhrelid FROM pg_inherits WHERE inhparent = reached.oid
                    UNION ALL SELECT refobjid FROM pg_rewrite JOIN pg_depend
                        ON objid = pg_rewrite.oid AND classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass
                        WHERE ev_class = reached.oid) AS more(oid))
            SELECT oid::regclass::text FROM reached JOIN pg_foreign_table ON ftrelid = oid ORDER BY 1""";

    /** Others are connected, or the user is not the owner. */
    private static final Set<String> TEMPLATE_IMPOSSIBLE =
            Set.of(SqlState.OBJECT_IN_USE, SqlState.INSUFFICIENT_PRIVILEGE);

    /** A database is for reading only, or for the experiments that write. */
    private record Need(Contents contents, boolean written) {}

    private final Cluster cluster;
    private final LabRequest request;
    private final Consumer<String> step;
    private final Map<Need, Gateway> made = new LinkedHashMap<>();
    private final Map<Need, Double> buildSeconds = new HashMap<>();
    private final Map<Need, List<TableBytes>> tableBytes = new HashMap<>();
    private final List<Experiment> copied;
    private final Map<Gateway, Gateway> confined = new HashMap<>();
    private @Nullable Check copy;
    private @Nullable String sizesRefused;
    private List<String> foreignTables = List.of();
    private @Nullable Databases own;
    private final List<StageDatabases> stages = new ArrayList<>();

    /**
     * Makes them.
     *
     * @param step is told what is being done
     * @throws UserError when a database cannot be made
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
        this.copied = experiments.stream()
                .filter(experiment -> experiment.before().contents().source() instanceof Named)
                .toList();
        Set<Need> needs = new LinkedHashSet<>();
        for (Experiment experiment : experiments) {
            needs.add(need(experiment, experiment.before()));
            needs.add(need(experiment, experiment.after()));
        }
        try {
            // First, while no session of ours is in the way.
            copyNamed(of(needs, Named.class));
            loadStages(of(needs, Movr.class), progress);
            runSeeds(of(needs, Seeded.class));
            // Later the rows that runs leave behind would be counted, of which the side before has more.
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

    /** One whose change has a price is written for that, at last. */
    private static Need need(Experiment experiment, Side side) {
        return new Need(side.contents(), experiment.writes() || experiment.isPriced());
    }

    /** A price without sizes is still one. */
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
        if (needs.isEmpty()) {
            return;
        }
        Gateway source = cluster.gateway();
        Optional<String> inPlace = request.folders().inPlace();
        if (inPlace.isPresent()) {
            useNamed(needs, source, inPlace.get());
            return;
        }
        if (cluster.engine() == Engine.POSTGRESQL) {
            refuseForeignTables(source);
        }
        Optional<CopyKind> kind = request.folders().copyKind();
        boolean automatic = kind.isEmpty();
        if (!cluster.engine().copiesDatabases()) {
            if (!automatic) {
                throw new UserError("--copy is about PostgreSQL, and "
                        + cluster.engine().title() + " restores copies from a backup: leave it out");
            }
            restoreNamed(needs, source);
            return;
        }
        if (kind.filter(CopyKind.TABLES::equals).isPresent()) {
            copyTables(needs, source, "--copy tables says so", "");
            return;
        }
        long bytes = own().bytesOf(source);
        if (!automatic) {
            requireRoom(needs.size(), "the database " + source.database(), bytes);
        } else if (bytes * needs.size() > request.folders().mostBytes()) {
            copyTables(needs, source, "the whole database has " + ByteSize.text(bytes), "");
            return;
        }
        Gateway first;
        try {
            step.accept("Copying the database " + source.database() + ", " + ByteSize.text(bytes));
            first = own().copy(source, name("copy"));
        } catch (UserError refused) {
            String state = String.valueOf(SqlState.of(refused));
            if (!automatic || !TEMPLATE_IMPOSSIBLE.contains(state)) {
                throw refused;
            }
            copyTables(
                    needs,
                    source,
                    state.equals(SqlState.OBJECT_IN_USE)
                            ? "others are connected to it"
                            : "only its owner may copy it whole",
                    String.valueOf(refused.getMessage()));
            return;
        }
        copyFor(needs, first);
    }

    /** A copy has the definition of a foreign table, and the rows stay on the other server. */
    private void refuseForeignTables(Gateway source) throws SQLException {
        Set<String> words = new LinkedHashSet<>();
        copied.forEach(experiment ->
                words.addAll(Objects.requireNonNull(experiment.own()).words()));
        try (Connection connection = source.connect("movr-lab")) {
            Array names = connection.createArrayOf("text", words.toArray());
            List<String> named = Rows.query(connection, FOREIGN_TABLES, List.of(names)).stream()
                    .map(row -> row.get(0))
                    .toList();
            if (!named.isEmpty()) {
                throw new UserError("The experiment reaches the foreign table " + named.get(0) + " of "
                        + source.database() + ", whose rows are on another server and are not copied: copy them into a"
                        + " table first, or leave them out");
            }
            foreignTables = Rows.query(connection, ALL_FOREIGN_TABLES, List.of()).stream()
                    .map(row -> row.get(0))
                    .toList();
        }
    }

    /** Typed twice, a name is meant. */
    private void useNamed(List<Need> needs, Gateway source, String typed) {
        if (!typed.equals(source.database())) {
            throw new UserError("--in-place " + typed + " is not the database of --url, which is '" + source.database()
                    + "': type that name if it is a scratch database, or leave --in-place out");
        }
        needs.forEach(need -> made.put(need, source));
        copy = new Check(
                "copy",
                "warning",
                "measured on the database " + typed + " itself, as it is: nothing was copied, vacuumed or analyzed",
                "");
    }

    /** Before the scripts of a side change it, each other side gets its copy, on the same pages. */
    private void copyFor(List<Need> needs, Gateway first) throws SQLException {
        List<Gateway> copies = new ArrayList<>(List.of(first));
        for (int index = 1; index < needs.size(); index++) {
            copies.add(own().copy(first, "copy-" + index));
        }
        for (int index = 0; index < needs.size(); index++) {
            finish(needs.get(index), copies.get(index));
        }
    }

    private void copyTables(List<Need> needs, Gateway source, String reason, String remedy) throws SQLException {
        if (needs.stream().anyMatch(need -> need.contents().changes().orElse(null) instanceof Migrations)) {
            // They may change any table, and the table with their history is none that the SQL of the folder names.
            throw new UserError("Migrations need a copy of the whole database " + source.database()
                    + ", which cannot be made because " + reason + (remedy.isEmpty() ? "" : ": " + remedy)
                    + ". Give the experiment a seed.sql instead, or allow more by --max-copy if it is too large");
        }
        Set<String> words = new LinkedHashSet<>();
        Set<String> named = new LinkedHashSet<>();
        for (Experiment experiment : copied) {
            Experiment.Own folder = Objects.requireNonNull(experiment.own());
            words.addAll(folder.words());
            named.addAll(folder.tables());
        }
        Gateway first;
        try (LogicalCopy tables =
                new LogicalCopy(Unanswered.bounded(source, Unanswered.WHOLE_TABLE_LIMIT), words, named)) {
            String all = String.join(", ", tables.tables());
            String size = ByteSize.text(tables.bytes());
            requireRoom(needs.size(), all + " of the database " + source.database(), tables.bytes());
            first = own().createLike(source, name("tables"));
            List<String> missing = tables.copyTo(
                    Unanswered.bounded(first, Unanswered.WHOLE_TABLE_LIMIT),
                    share -> step.accept(String.format(
                            Locale.ROOT, "Copying tables of %s, %s, %.0f%%", source.database(), size, 100 * share)));
            copy = new Check(
                    "copy",
                    "warning",
                    "only the tables " + all + " of " + source.database() + " were copied, row by row, because "
                            + reason
                            + "; views, functions, rights and dead rows are not in the copies"
                            + (missing.isEmpty() ? "" : ", nor are " + String.join(", ", missing)),
                    remedy);
        }
        copyFor(needs, first);
    }

    /** Each side gets a copy that is restored from one backup. */
    private void restoreNamed(List<Need> needs, Gateway source) throws SQLException {
        long bytes = 0;
        for (TableBytes table : TableBytes.in(source)) {
            bytes += Objects.requireNonNull(table.bytes(), table.name());
        }
        requireRoom(needs.size() + 1, "the database " + source.database() + ", its backup among them,", bytes);
        String what = " the database " + source.database() + ", " + ByteSize.text(bytes);
        step.accept("Backing up" + what);
        Gateway backup = own().backUp(source, name("backup"));
        List<Gateway> copies = new ArrayList<>();
        for (int index = 0; index < needs.size(); index++) {
            step.accept("Restoring" + what + ", " + (index + 1) + " of " + needs.size());
            copies.add(own().restore(backup, source, "copy-" + index));
        }
        own().drop(backup);
        for (int index = 0; index < needs.size(); index++) {
            finish(needs.get(index), copies.get(index));
        }
    }

    private void requireRoom(int copies, String what, long bytes) {
        if (bytes * copies > request.folders().mostBytes()) {
            throw new UserError(String.format(
                    "%d %s of %s would take %s, more than --max-copy %s: allow more, or choose experiments with --only",
                    copies,
                    copies == 1 ? "copy" : "copies",
                    what,
                    ByteSize.text(bytes * copies),
                    ByteSize.text(request.folders().mostBytes())));
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
            // On the same pages on both sides.
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
        // What scripts have made is touched with no more rights than they had.
        boolean scripted = contents.changes().isPresent() || contents.source() instanceof Seeded;
        Gateway used = scripted ? confined(database) : database;
        gatherStatistics(used);
        made.put(need, used);
    }

    /** The database with the rights of its owner, which are those that the files of a folder have. */
    private Gateway confined(Gateway database) {
        if (cluster.engine() != Engine.POSTGRESQL || request.folders().inPlace().isPresent()) {
            return database;
        }
        if (confined.containsValue(database)) {
            return database;
        }
        Gateway asOwner = confined.computeIfAbsent(database, own()::confined);
        Optional<String> unconfined = own().unconfined();
        if (unconfined.isPresent() && !foreignTables.isEmpty()) {
            throw new UserError("The database has the foreign tables " + String.join(", ", foreignTables)
                    + ", and what a copy does to them cannot be prevented, because a role that owns nothing but the copy"
                    + " cannot be used: " + unconfined.get() + ". Name a user with CREATEROLE who owns what is copied");
        }
        return asOwner;
    }

    private void gatherStatistics(Gateway database) throws SQLException {
        Engine engine = cluster.engine();
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.WHOLE_TABLE_LIMIT).connect("movr-lab")) {
            for (List<String> table : Rows.query(connection, TABLES, List.of())) {
                Rows.execute(connection, engine.statisticsOf(table.get(0)));
            }
        }
        if (cluster.embedded() && engine == Engine.POSTGRESQL) {
            try (Connection connection = Unanswered.bounded(cluster.gateway(), Unanswered.WHOLE_TABLE_LIMIT)
                    .connect("movr-lab")) {
                Rows.execute(connection, "CHECKPOINT");
            }
        }
    }

    /** A name that no other of them has. */
    private String name(String what) {
        return what + "-" + made.size();
    }

    /** Where a side of an experiment runs. */
    Place at(Experiment experiment, Side side) {
        Gateway database = Objects.requireNonNull(made.get(need(experiment, side)), experiment.id());
        return Place.at(experiment.own() == null ? database : confined(database));
    }

    /** The seconds that the script of a side took; {@code null} if it has none. */
    @Nullable
    Double buildSeconds(Experiment experiment, Side side) {
        return buildSeconds.get(need(experiment, side));
    }

    /** What the tables of a side took before any run, of an experiment whose change has a price. */
    List<TableBytes> tableBytes(Experiment experiment, Side side) {
        return Objects.requireNonNull(tableBytes.get(need(experiment, side)), experiment.id());
    }

    /** Why the server did not say what tables take; {@code null} if it did. */
    @Nullable
    String sizesRefused() {
        return sizesRefused;
    }

    /** How the named database was copied, if not as a whole, or that it was not. */
    Optional<Check> copy() {
        return Optional.ofNullable(copy);
    }

    /** What the copies lack, and what their scripts may do beyond them; empty if neither. */
    List<Check> warnings() {
        List<Check> warnings = new ArrayList<>();
        if (own != null && !own.settingsNotCopied().isEmpty()) {
            warnings.add(new Check(
                    "settings",
                    "warning",
                    "the copies lack these settings of the source, which "
                            + cluster.gateway().shown() + " may not set: " + String.join(", ", own.settingsNotCopied()),
                    "GRANT SET ON PARAMETER … TO the user"));
        }
        if (own != null) {
            own.unconfined()
                    .ifPresent(reason -> warnings.add(new Check(
                            "rights",
                            "warning",
                            "the scripts run with all rights of the user of "
                                    + cluster.gateway().shown()
                                    + ", because a role that owns the copies and nothing else cannot be used: "
                                    + reason,
                            "name a user with CREATEROLE who owns what is copied")));
        }
        if (!foreignTables.isEmpty()) {
            warnings.add(new Check(
                    "foreign tables",
                    "warning",
                    "the copies do not reach the servers of the foreign tables " + String.join(", ", foreignTables),
                    ""));
        }
        return warnings;
    }

    /** A database for questions that all answer alike, in which no script has run. */
    Gateway any() {
        return stages.isEmpty() ? cluster.gateway() : stages.get(0).any();
    }

    /**
     * Counts rows.
     *
     * @param tables all of the database where none is named
     */
    static Map<String, Long> rows(Gateway database, List<String> tables) throws SQLException {
        Map<String, Long> rows = new LinkedHashMap<>();
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.WHOLE_TABLE_LIMIT).connect("movr-lab")) {
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
            // Last, because with it goes the role that owns the others too.
            all.add(own::close);
        }
        Closeables.<Runnable, RuntimeException>closeAll(all, Runnable::run);
    }
}

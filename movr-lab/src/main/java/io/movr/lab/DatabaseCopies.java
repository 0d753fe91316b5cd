package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LogicalCopy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.environment.StatementTimeout;
import io.movr.environment.TableBytes;
import io.movr.lab.Contents.Named;
import io.movr.lab.ExperimentFolders.CopyKind;
import io.movr.report.ByteSize;
import io.movr.report.LabResults.Check;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies of the database that the user names, one for each side. PostgreSQL copies the whole database as a template, or the
 * tables that the experiments name; CockroachDB restores a backup.
 */
final class DatabaseCopies {

    private static final String ALL_FOREIGN_TABLES = "SELECT ftrelid::regclass::text FROM pg_foreign_table ORDER BY 1";

    /** The foreign tables that statements reach by name, by a partitioned table, or by a view. */
    private static final String FOREIGN_TABLES = """
            WITH RECURSIVE reached(oid) AS (
                SELECT oid FROM pg_class WHERE relname = ANY (?)
                UNION SELECT more.oid FROM reached, LATERAL (
                    SELECT inhrelid FROM pg_inherits WHERE inhparent = reached.oid
                    UNION ALL SELECT refobjid FROM pg_rewrite JOIN pg_depend
                        ON objid = pg_rewrite.oid AND classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass
                        WHERE ev_class = reached.oid) AS more(oid))
            SELECT oid::regclass::text FROM reached JOIN pg_foreign_table ON ftrelid = oid ORDER BY 1""";

    /** Other sessions are connected, or the user is not the owner. */
    private static final Set<String> TEMPLATE_IMPOSSIBLE =
            Set.of(SqlState.OBJECT_IN_USE, SqlState.INSUFFICIENT_PRIVILEGE);

    private final Cluster cluster;
    private final Gateway source;
    private final ExperimentFolders folders;
    private final List<Experiment> experiments;
    private final Supplier<Databases> databases;
    private final Consumer<String> step;
    private @Nullable Check check;
    private List<String> foreignTables = List.of();

    /**
     * Prepares the copies of a cluster's database.
     *
     * @param databases makes them, and is asked for when the first copy is made
     * @param step receives what is done next
     */
    DatabaseCopies(
            Cluster cluster,
            ExperimentFolders folders,
            List<Experiment> experiments,
            Supplier<Databases> databases,
            Consumer<String> step) {
        this.cluster = cluster;
        this.source = cluster.gateway();
        this.folders = folders;
        this.experiments = experiments.stream()
                .filter(experiment -> experiment.before().contents().source() instanceof Named)
                .toList();
        this.databases = databases;
        this.step = step;
    }

    /** Returns how the database was copied, if not as a whole, or that it was not. */
    Optional<Check> check() {
        return Optional.ofNullable(check);
    }

    /** Returns the foreign tables of the database, whose rows are not in the copies. */
    List<String> foreignTables() {
        return foreignTables;
    }

    /** Requires that the user has typed the database's name once more, because it is measured itself. */
    void requireTypedTwice(String typed) {
        if (!typed.equals(source.database())) {
            throw new UserError("--in-place " + typed + " is not the database of --url, which is '" + source.database()
                    + "': type that name if it is a scratch database, or remove --in-place");
        }
        check = new Check(
                "copy",
                "warning",
                "measured on the database " + typed + " itself, as it is: nothing was copied, vacuumed or analyzed",
                "");
    }

    /** Makes a copy for each side. */
    List<Gateway> copies(List<Contents> sides) throws SQLException {
        if (cluster.engine() == Engine.POSTGRESQL) {
            refuseForeignTables();
        }
        Optional<CopyKind> kind = folders.copyKind();
        boolean automatic = kind.isEmpty();
        if (!cluster.engine().copiesDatabases()) {
            if (!automatic) {
                throw new UserError("--copy requires PostgreSQL: "
                        + cluster.engine().title() + " restores copies from a backup, so remove --copy");
            }
            return restored(sides.size());
        }
        if (kind.filter(CopyKind.TABLES::equals).isPresent()) {
            return ofTables(sides, "--copy tables says so", "");
        }
        long bytes = databases.get().bytesOf(source);
        if (!automatic) {
            requireRoom(sides.size(), "the database " + source.database(), bytes);
        } else if (bytes * sides.size() > folders.maxBytes()) {
            return ofTables(sides, "the whole database has " + ByteSize.text(bytes), "");
        }
        Gateway first;
        try {
            step.accept("Copying the database " + source.database() + ", " + ByteSize.text(bytes));
            first = databases.get().copy(source, "copy-0");
        } catch (UserError refused) {
            String state = String.valueOf(SqlState.of(refused));
            if (!automatic || !TEMPLATE_IMPOSSIBLE.contains(state)) {
                throw refused;
            }
            return ofTables(
                    sides,
                    state.equals(SqlState.OBJECT_IN_USE)
                            ? "others are connected to it"
                            : "only its owner may copy it whole",
                    String.valueOf(refused.getMessage()));
        }
        return repeated(first, sides.size());
    }

    /** A copy has the definition of a foreign table, and the rows stay on the other server. */
    private void refuseForeignTables() throws SQLException {
        Set<String> words = new LinkedHashSet<>();
        experiments.forEach(experiment -> words.addAll(experiment.tables().words()));
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

    /** Copies a copy for each other side, with the same pages, before the scripts of a side change it. */
    private List<Gateway> repeated(Gateway first, int sides) throws SQLException {
        List<Gateway> copies = new ArrayList<>(List.of(first));
        for (int index = 1; index < sides; index++) {
            copies.add(databases.get().copy(first, "copy-" + index));
        }
        return copies;
    }

    private List<Gateway> ofTables(List<Contents> sides, String reason, String remedy) throws SQLException {
        if (sides.stream().anyMatch(side -> side.changes().orElse(null) instanceof Migrations)) {
            // They may change any table, and the SQL of the folder does not name the table with their history.
            throw new UserError("Migrations need a copy of the whole database " + source.database()
                    + ", which cannot be made because " + reason + (remedy.isEmpty() ? "" : ": " + remedy)
                    + ". Give the experiment a seed.sql instead, or allow more by --max-copy if it is too large");
        }
        Set<String> words = new LinkedHashSet<>();
        Set<String> named = new LinkedHashSet<>();
        for (Experiment experiment : experiments) {
            words.addAll(experiment.tables().words());
            named.addAll(experiment.tables().named());
        }
        Gateway first;
        try (LogicalCopy tables =
                new LogicalCopy(StatementTimeout.bounded(source, StatementTimeout.WHOLE_TABLE_LIMIT), words, named)) {
            String all = String.join(", ", tables.tables());
            String size = ByteSize.text(tables.bytes());
            requireRoom(sides.size(), all + " of the database " + source.database(), tables.bytes());
            first = databases.get().createLike(source, "tables-0");
            List<String> missing = tables.copyTo(
                    StatementTimeout.bounded(first, StatementTimeout.WHOLE_TABLE_LIMIT),
                    share -> step.accept(String.format(
                            Locale.ROOT, "Copying tables of %s, %s, %.0f%%", source.database(), size, 100 * share)));
            check = new Check(
                    "copy",
                    "warning",
                    "only the tables " + all + " of " + source.database() + " were copied, row by row, because "
                            + reason
                            + "; views, functions, rights and dead rows are not in the copies"
                            + (missing.isEmpty() ? "" : ", nor are " + String.join(", ", missing)),
                    remedy);
        }
        return repeated(first, sides.size());
    }

    private List<Gateway> restored(int sides) throws SQLException {
        long bytes = 0;
        for (TableBytes table : TableBytes.in(source)) {
            bytes += Objects.requireNonNull(table.bytes(), table.name());
        }
        requireRoom(sides + 1, "the database " + source.database() + ", its backup among them,", bytes);
        String what = " the database " + source.database() + ", " + ByteSize.text(bytes);
        step.accept("Backing up" + what);
        Gateway backup = databases.get().backUp(source, "backup-0");
        List<Gateway> copies = new ArrayList<>();
        for (int index = 0; index < sides; index++) {
            step.accept("Restoring" + what + ", " + (index + 1) + " of " + sides);
            copies.add(databases.get().restore(backup, source, "copy-" + index));
        }
        databases.get().drop(backup);
        return copies;
    }

    private void requireRoom(int copies, String what, long bytes) {
        if (bytes * copies > folders.maxBytes()) {
            throw new UserError(String.format(
                    "%d %s of %s would take %s, more than --max-copy %s: allow more, or choose experiments with --only",
                    copies,
                    copies == 1 ? "copy" : "copies",
                    what,
                    ByteSize.text(bytes * copies),
                    ByteSize.text(folders.maxBytes())));
        }
    }
}

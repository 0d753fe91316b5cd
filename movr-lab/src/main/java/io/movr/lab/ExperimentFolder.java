package io.movr.lab;

import io.movr.UserError;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.dataset.DatasetSpec;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Named;
import io.movr.lab.Contents.Seeded;
import io.movr.lab.Contents.Source;
import io.movr.lab.ExperimentYaml.BothSides;
import io.movr.lab.ExperimentYaml.Versions;
import io.movr.published.PublishedFigures.Figure;
import io.movr.report.Percent;
import io.movr.schema.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An experiment that a folder describes, as {@code docs/experiments.md} explains. */
final class ExperimentFolder {

    private static final String BEFORE = "before";
    private static final String AFTER = "after";
    private static final String IDENTIFIER = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"(?:[^\"]|\"\")+\")";
    private static final Pattern TABLE = Pattern.compile("(?:" + IDENTIFIER + "\\.){0,2}" + IDENTIFIER);
    private static final String WRITE_NAME = "[a-z0-9][a-z0-9_-]{0,62}";
    private static final String MOVR = "movr";
    private static final String SEED = "seed.sql";
    private static final int MAX_SCALE = 999_999;

    /** The variable of seed.sql that multiplies its rows. */
    private static final String SCALE = "scale";

    private final FolderFiles files;
    private final ExperimentYaml yaml;
    private final FolderExpectations expectations;
    private final boolean copies;
    private final long orderSeed;
    private final @Nullable DataScale scale;

    private ExperimentFolder(
            Path folder, boolean copies, long orderSeed, Supplier<Answers> generated, @Nullable DataScale scale) {
        this.files = new FolderFiles(folder);
        this.copies = copies;
        this.orderSeed = orderSeed;
        this.scale = scale;
        this.yaml = YamlReader.read(files.file(FolderFiles.YAML), ExperimentYaml.class);
        this.expectations = new FolderExpectations(yaml, files, generated);
    }

    /**
     * Reads a folder as one experiment, whatever scales it has.
     *
     * @param copies whether there is a database to copy for an experiment without rows of its own
     * @param orderSeed the seed of the order of parameters
     * @param generated what MovR's rows must answer, asked for when an answer is first checked
     * @throws UserError if anything in it is wrong, naming the file and the key
     */
    static Experiment read(Path folder, boolean copies, long orderSeed, Supplier<Answers> generated) {
        return new ExperimentFolder(folder, copies, orderSeed, generated, null).experiment();
    }

    /**
     * Reads a folder as one experiment for each of its scales, the smallest first.
     *
     * @param copies whether there is a database to copy for an experiment without rows of its own
     * @param rows the rows of MovR at scale 1; their seed is also that of the order of parameters
     * @throws UserError if anything in it is wrong, naming the file and the key
     */
    static List<Experiment> readEachScale(Path folder, boolean copies, DatasetSpec rows) {
        ExperimentFolder whole = new ExperimentFolder(folder, copies, rows.seed(), () -> new Answers(rows), null);
        Experiment experiment = whole.experiment();
        List<Integer> scales = whole.scales();
        if (scales.isEmpty()) {
            return List.of(experiment);
        }
        List<Experiment> all = new ArrayList<>();
        for (int factor : scales) {
            DataScale scale = new DataScale(experiment.id(), factor, factor == scales.get(scales.size() - 1));
            DatasetSpec multiplied =
                    experiment.before().contents().source() instanceof Movr ? rows.times(factor) : rows;
            all.add(new ExperimentFolder(folder, copies, rows.seed(), () -> new Answers(multiplied), scale)
                    .experiment());
        }
        return all;
    }

    private List<Integer> scales() {
        List<Integer> scales = yaml.scales().stream().sorted().toList();
        if (scales.isEmpty()) {
            return scales;
        }
        for (int factor : scales) {
            if (factor < 1 || factor > MAX_SCALE || scales.indexOf(factor) != scales.lastIndexOf(factor)) {
                throw wrong(
                        "scales",
                        "has '" + factor + "': write whole numbers from 1 to 999999, each once, such as [1, 10, 100]");
            }
        }
        if (scales.size() < 2) {
            throw wrong("scales", "shows no growth with fewer than two numbers: write such as [1, 10, 100]");
        }
        Optional<SqlFile> seed = files.script(SEED);
        if (seed.isPresent() && !FolderFiles.parametersOf(List.of(seed.get())).contains(SCALE)) {
            throw new UserError(seed.get().file() + " has no :scale, which scales in " + FolderFiles.YAML
                    + " sets: multiply rows by it, such as generate_series(1, 1000 * :scale)");
        }
        if (seed.isEmpty() && yaml.seed() == null) {
            throw wrong(
                    "scales",
                    "multiplies rows that are made, and the rows of a copied database cannot be: add a seed.sql that"
                            + " makes 1000 * :scale rows, or remove scales");
        }
        return scales;
    }

    private Experiment experiment() {
        files.requireKnown();
        SqlFile before = files.statements(BEFORE);
        SqlFile after = files.statements(AFTER);
        SqlFile reset = files.script("reset.sql").orElse(null);
        Optional<String> provider = expectations.provider(reset);
        if (provider.isEmpty()) {
            requireReset(before, after, reset);
        }
        List<WriteEntry> writes = writes();
        List<SqlFile> users = new ArrayList<>(List.of(before, after));
        Optional.ofNullable(reset).ifPresent(users::add);
        writes.stream().filter(write -> write.parameters().isEmpty()).forEach(write -> users.addAll(write.files()));
        Parameters parameters = files.parameters(users);
        Map<String, Migrations> migrations = migrations();
        Source sourceBefore = source(BEFORE, migrations);
        Source sourceAfter = source(AFTER, migrations);
        List<ExpectedAnswers> answers = expectations.answers(before, after, parameters, sourceBefore, sourceAfter);
        List<List<Expectation>> planBefore =
                expectations.plan(BEFORE, yaml.expect().plan().before(), before);
        List<List<Expectation>> planAfter =
                expectations.plan(AFTER, yaml.expect().plan().after(), after);
        StatementOperation operationBefore =
                new StatementOperation(before, planBefore, common(parameters, answers.get(0), reset), true);
        StatementOperation operationAfter =
                new StatementOperation(after, planAfter, common(parameters, answers.get(1), reset), false);
        Side sideBefore = new Side(
                label(BEFORE, yaml.labels().before(), migrations),
                contents(sourceBefore, BEFORE, migrations),
                expectations.operation(provider, sourceBefore, operationBefore));
        Side sideAfter = new Side(
                label(AFTER, yaml.labels().after(), migrations),
                contents(sourceAfter, AFTER, migrations),
                expectations.operation(provider, sourceAfter, operationAfter));
        requireDifference(sideBefore, sideAfter, before.statements().equals(after.statements()));
        return new Experiment(
                id(),
                scale == null ? yaml.title() : yaml.title() + ", data × " + scale.factor(),
                Optional.ofNullable(yaml.lesson()).orElse(""),
                notes(),
                null,
                sideBefore,
                sideAfter,
                published(),
                false,
                new TableNames(tables(), files.words(users)),
                scale != null && !scale.isLargest()
                        ? List.of()
                        : writes.stream()
                                .map(write -> write(write, sideBefore, sideAfter, parameters))
                                .toList(),
                scale);
    }

    private StatementOperation.Common common(Parameters parameters, ExpectedAnswers answers, @Nullable SqlFile reset) {
        return new StatementOperation.Common(parameters, answers, reset, yaml.transaction(), orderSeed);
    }

    private void requireDifference(Side before, Side after, boolean sameStatements) {
        boolean sameContents = before.contents().equals(after.contents());
        if (!yaml.writes().isEmpty() && sameContents) {
            throw wrong("writes", "compares the databases of the sides: add before.sql, after.sql or sides");
        }
        if (sameContents && sameStatements) {
            throw new UserError("The sides of " + files.folder() + " are the same: write the change into after.sql or "
                    + "after.statement.sql, or what is to be compared with it into before.sql or before.statement.sql");
        }
    }

    private void requireReset(SqlFile before, SqlFile after, @Nullable SqlFile reset) {
        boolean rolledBack = yaml.transaction() == TransactionMode.ROLLED_BACK;
        for (SqlFile statements : List.of(before, after)) {
            if (reset == null && !rolledBack && statements.writes()) {
                throw new UserError(statements.file() + " writes, and each run must find the same rows: add "
                        + files.folder().resolve("reset.sql")
                        + ", which resets a run outside the measured time, or transaction: rollback to "
                        + FolderFiles.YAML + ", which measures no commit");
            }
        }
        if (reset != null && rolledBack) {
            throw new UserError(reset.file() + " resets what is written, and each run is rolled back: remove the file,"
                    + " or transaction: rollback");
        }
        if (reset != null && !before.writes() && !after.writes()) {
            throw new UserError(reset.file() + " resets what is written, and no statement writes: remove the file");
        }
    }

    /**
     * An entry of {@code writes}.
     *
     * @param parameters its own parameters, empty if it takes those of the experiment
     */
    private record WriteEntry(
            String name,
            SqlFile statements,
            @Nullable SqlFile reset,
            Optional<Parameters> parameters,
            @Nullable Double maxSlowdownPercent) {

        List<SqlFile> files() {
            return reset == null ? List.of(statements) : List.of(statements, reset);
        }
    }

    private List<WriteEntry> writes() {
        List<WriteEntry> writes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Path file = files.file(FolderFiles.YAML);
        for (ExperimentYaml.Write entry : yaml.writes()) {
            String name = entry.name();
            if (!name.matches(WRITE_NAME) || !names.add(name)) {
                throw wrong("writes.name", "'" + name + "' is not one of its own of small letters, digits, - and _");
            }
            SqlFile statements = FolderFiles.requireExplainable(
                    SqlFile.of(file.resolveSibling(FolderFiles.YAML + ", write " + name), entry.statement()));
            SqlFile reset = entry.reset() == null
                    ? null
                    : SqlFile.of(file.resolveSibling(FolderFiles.YAML + ", reset of write " + name), entry.reset());
            Double maxSlowdownPercent = entry.maxSlowdown() == null
                    ? null
                    : Percent.parse(file + ": writes.max-slowdown", entry.maxSlowdown());
            List<SqlFile> users = reset == null ? List.of(statements) : List.of(statements, reset);
            Optional<Parameters> parameters =
                    Optional.ofNullable(entry.parameters()).map(csv -> Parameters.of(csv(csv, users)));
            writes.add(new WriteEntry(name, statements, reset, parameters, maxSlowdownPercent));
        }
        return writes;
    }

    private Csv csv(String name, List<SqlFile> users) {
        Path file = files.file(name);
        if (!name.endsWith(".csv") || !Files.exists(file)) {
            throw wrong("writes.parameters", "is a CSV file of the folder, and '" + name + "' is none");
        }
        Csv csv = Csv.read(file);
        FolderFiles.requireValues(users, file, csv);
        return csv;
    }

    private MeasuredWrite write(WriteEntry entry, Side before, Side after, Parameters ofExperiment) {
        SqlFile statements = entry.statements();
        StatementOperation.Common common = common(
                entry.parameters().orElse(ofExperiment),
                ExpectedAnswers.same(statements.last().ordered()),
                entry.reset());
        return new MeasuredWrite(
                entry.name(),
                entry.maxSlowdownPercent(),
                StatementOperation.write(id() + "." + entry.name(), entry.name(), statements, common, before, after));
    }

    private String id() {
        return scale == null ? FolderFiles.requireName(files.folder()) : scale.id();
    }

    private List<String> tables() {
        for (String table : yaml.tables()) {
            if (!TABLE.matcher(table).matches()) {
                throw wrong(
                        "tables",
                        "has '" + table + "', which is no name of a table: write such as orders or"
                                + " public.\"Order Line\"");
            }
        }
        return yaml.tables();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(yaml.notes());
        if (yaml.transaction() == TransactionMode.ROLLED_BACK) {
            notes.add("Each run was rolled back, so the times are those of the statements without a commit.");
        }
        return notes;
    }

    /** Returns the versions of the sides, empty if scripts make their schemas. */
    private Map<String, Migrations> migrations() {
        Versions sides = yaml.sides();
        if (sides == null) {
            return Map.of();
        }
        for (String script : List.of("before.sql", "after.sql")) {
            if (Files.exists(files.folder().resolve(script))) {
                throw wrong(
                        "sides",
                        "names versions, and there is " + files.folder().resolve(script) + ": keep one of them");
            }
        }
        if (yaml.seed() != null) {
            throw wrong("seed", "names a stage of MovR's schema, and sides names versions of yours: write seed.sql");
        }
        List<Migrations> versions = Migrations.of(
                files.folder().resolve(sides.migrations()).normalize(),
                sides.before(),
                sides.after(),
                files.file(FolderFiles.YAML));
        return Map.of(BEFORE, versions.get(0), AFTER, versions.get(1));
    }

    private static String label(String side, @Nullable String label, Map<String, Migrations> migrations) {
        Migrations version = migrations.get(side);
        return label != null ? label : version == null ? side : version.name();
    }

    private Source source(String side, Map<String, Migrations> migrations) {
        int factor = scale == null ? 1 : scale.factor();
        Optional<SqlFile> script = files.script(SEED, Map.of(SCALE, String.valueOf(factor)));
        BothSides seed = yaml.seed();
        if (script.isPresent() && seed != null) {
            throw wrong(
                    "seed",
                    "is " + seed.before() + ", and there is " + script.get().file() + ": keep one of them");
        }
        if (script.isPresent()) {
            return new Seeded(script.get().withoutParameters(), Optional.ofNullable(migrations.get(BEFORE)));
        }
        if (seed != null) {
            return new Movr(stage(side.equals(BEFORE) ? seed.before() : seed.after()), factor);
        }
        if (!copies) {
            throw new UserError(files.folder() + " has no rows: add seed.sql, or 'seed: movr' to " + FolderFiles.YAML
                    + ", or name the database to copy with --url");
        }
        return new Named();
    }

    private Stage stage(String named) {
        if (named.equals(MOVR)) {
            return Stage.FOREIGN_KEYS;
        }
        if (!named.startsWith(MOVR + "@")) {
            throw wrong("seed", "is movr or movr@STAGE, not '" + named + "'");
        }
        return Stage.ofOneRegion().stream()
                .filter(stage -> stage.id().equals(named.substring(MOVR.length() + 1)))
                .findFirst()
                .orElseThrow(() -> wrong(
                        "seed",
                        "names no stage of one region: choose "
                                + Stage.ofOneRegion().stream()
                                        .map(stage -> MOVR + "@" + stage.id())
                                        .collect(Collectors.joining(", "))));
    }

    private Contents contents(Source source, String side, Map<String, Migrations> migrations) {
        Migrations version = migrations.get(side);
        if (version == null) {
            return new Contents(source, files.script(side + ".sql").map(SqlFile::withoutParameters));
        }
        // A seed fills the tables of the earlier version, so nothing remains to be changed for it.
        return new Contents(
                source, source instanceof Seeded && side.equals(BEFORE) ? Optional.empty() : Optional.of(version));
    }

    private List<Figure> published() {
        List<Figure> figures = new ArrayList<>();
        for (ExperimentYaml.Published one : yaml.published()) {
            double ratio = one.ratio();
            if (!(ratio > 0) || Double.isInfinite(ratio)) {
                throw wrong("published.ratio", "is the time before over the time after, which is more than 0");
            }
            figures.add(new Figure(id(), one.source(), yaml.title(), "", "", "relative time", "", ratio, 1, ratio));
        }
        return figures;
    }

    private UserError wrong(String key, String what) {
        return new UserError(files.file(FolderFiles.YAML) + ": " + key + " " + what);
    }
}

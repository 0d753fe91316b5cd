package io.movr.lab;

import io.movr.UserError;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.dataset.DatasetSpec;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Named;
import io.movr.lab.Contents.Seeded;
import io.movr.lab.Contents.Source;
import io.movr.published.PublishedFigures.Figure;
import io.movr.report.Percent;
import io.movr.schema.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An experiment that a folder describes, as {@code docs/experiments.md} explains. */
final class ExperimentFolder {

    static final String YAML = "experiment.yaml";

    private static final String BEFORE = "before";
    private static final String AFTER = "after";
    static final Set<String> KEYS = Set.of(
            "title",
            "lesson",
            "notes",
            "seed",
            "scales",
            "sides",
            "tables",
            "labels",
            "transaction",
            "operation",
            "expect",
            "published",
            "writes");
    static final Set<String> SIDES_KEYS = Set.of("migrations", BEFORE, AFTER);
    private static final String IDENTIFIER = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"(?:[^\"]|\"\")+\")";
    private static final Pattern TABLE = Pattern.compile("(?:" + IDENTIFIER + "\\.){0,2}" + IDENTIFIER);

    static final Set<String> WRITE_KEYS = Set.of("name", "statement", "parameters", "reset", "max-slowdown");
    private static final Set<String> SIDES = Set.of(BEFORE, AFTER);
    private static final Set<String> FILES = Set.of(
            YAML,
            "seed.sql",
            "before.sql",
            "after.sql",
            "statement.sql",
            "before.statement.sql",
            "after.statement.sql",
            "parameters.csv",
            "parameters.sql",
            "reset.sql");
    private static final String MOVR = "movr";
    private static final String SCALES = "scales";
    /** What seed.sql multiplies its rows by. */
    private static final String SCALE = "scale";

    private static final String NAME = "[a-z0-9][a-z0-9_-]{0,62}";
    private static final String ANY_PLAN = "any plan";
    private static final Pattern IN_STATEMENT = Pattern.compile("(.*) in statement (\\d{1,3})");

    private final Path folder;
    private final YamlKeys keys;
    private final boolean copies;
    private final long seed;
    private final Supplier<Answers> generated;
    private final @Nullable DataScale scale;

    private ExperimentFolder(
            Path folder, boolean copies, long seed, Supplier<Answers> generated, @Nullable DataScale scale) {
        this.folder = folder;
        this.copies = copies;
        this.seed = seed;
        this.generated = generated;
        this.scale = scale;
        this.keys = YamlKeys.read(file(YAML), KEYS);
    }

    /**
     * Reads a folder as one experiment, whatever scales it has.
     *
     * @param copies whether there is a database to copy for an experiment without rows of its own
     * @param seed of the order of parameters
     * @param generated what MovR's rows must answer, asked for when an answer is first checked
     * @throws UserError if anything in it is wrong, naming the file and the key
     */
    static Experiment read(Path folder, boolean copies, long seed, Supplier<Answers> generated) {
        return new ExperimentFolder(folder, copies, seed, generated, null).experiment();
    }

    /**
     * Reads a folder as one experiment for each of its scales, the smallest first.
     *
     * @param copies whether there is a database to copy for an experiment without rows of its own
     * @param rows of MovR at scale 1; their seed is also that of the order of parameters
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
        for (int scale : scales) {
            DataScale multiple = new DataScale(experiment.id(), scale, scale == scales.get(scales.size() - 1));
            DatasetSpec multiplied = experiment.before().contents().source() instanceof Movr ? rows.times(scale) : rows;
            all.add(new ExperimentFolder(folder, copies, rows.seed(), () -> new Answers(multiplied), multiple)
                    .experiment());
        }
        return all;
    }

    /**
     * A file of the folder.
     *
     * @throws UserError if it is outside the folder, also by a symbolic link, or is no regular file
     */
    private Path file(String name) {
        Path file = folder.resolve(name);
        if (!file.toAbsolutePath()
                .normalize()
                .startsWith(folder.toAbsolutePath().normalize())) {
            throw outside(file);
        }
        try {
            if (Files.exists(file) && !file.toRealPath().startsWith(folder.toRealPath())) {
                throw outside(file);
            }
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UserError(file + " is no regular file: replace it by one");
        }
        return file;
    }

    private UserError outside(Path file) {
        return new UserError(
                file + " is outside the folder of its experiment, " + folder + ": copy the file into the folder");
    }

    private List<Integer> scales() {
        if (!keys.has(SCALES)) {
            return List.of();
        }
        SortedSet<Integer> scales = new TreeSet<>();
        for (String scale : keys.texts(SCALES)) {
            if (!scale.matches("[1-9]\\d{0,5}") || !scales.add(Integer.valueOf(scale))) {
                throw keys.wrong(
                        SCALES,
                        "has '" + scale + "': write whole numbers from 1 to 999999, each once, such as [1, 10, 100]");
            }
        }
        if (scales.size() < 2) {
            throw keys.wrong(SCALES, "shows no growth with fewer than two numbers: write such as [1, 10, 100]");
        }
        Path script = file("seed.sql");
        Optional<SqlFile> seeds = SqlFile.find(script);
        if (seeds.isPresent() && !wanted(List.of(seeds.get())).contains(SCALE)) {
            throw new UserError(script + " has no :scale, which scales in " + YAML
                    + " stands for: multiply rows by it, such as generate_series(1, 1000 * :scale)");
        }
        if (seeds.isEmpty() && !keys.has("seed")) {
            throw keys.wrong(
                    SCALES,
                    "multiplies rows that are made, and the rows of a copied database cannot be: add a seed.sql that"
                            + " makes 1000 * :scale rows, or leave scales out");
        }
        return List.copyOf(scales);
    }

    private Experiment experiment() {
        String title = keys.required("title");
        YamlKeys expect = keys.keys("expect", Set.of("plan", "answer"));
        SqlFile before = statements(BEFORE);
        SqlFile after = statements(AFTER);
        SqlFile reset = SqlFile.find(file("reset.sql")).orElse(null);
        StatementOperation.Transaction transaction = transaction();
        Optional<String> provided = providedOperation(reset, expect);
        if (provided.isEmpty()) {
            requireReset(before, reset, transaction);
            requireReset(after, reset, transaction);
        }
        if (reset != null && transaction == StatementOperation.Transaction.ROLLED_BACK) {
            throw new UserError(
                    reset.file() + " takes back what is written, and each run is rolled back: remove the file,"
                            + " or transaction: rollback");
        }
        if (reset != null && !before.writes() && !after.writes()) {
            throw new UserError(reset.file() + " takes back what is written, and no statement writes: remove the file");
        }
        List<WriteEntry> writes = writes();
        List<SqlFile> users = new ArrayList<>(List.of(before, after));
        Optional.ofNullable(reset).ifPresent(users::add);
        writes.stream().filter(write -> write.parameters().isEmpty()).forEach(write -> users.addAll(write.files()));
        Parameters parameters = parameters(users);
        Map<String, Migrations> migrations = migrations();
        Source sourceBefore = source(BEFORE, migrations);
        Source sourceAfter = source(AFTER, migrations);
        boolean ordered = before.last().ordered() && after.last().ordered();
        ExpectedAnswers answersBefore;
        ExpectedAnswers answersAfter;
        if (expect.hasKeys("answer")) {
            YamlKeys answers = expect.keys("answer", SIDES);
            answersBefore = answers(answers, BEFORE, before.last().ordered(), parameters, sourceBefore);
            answersAfter = answers(answers, AFTER, after.last().ordered(), parameters, sourceAfter);
        } else {
            answersBefore = answers(expect, "answer", ordered, parameters, sourceBefore);
            answersAfter = answersBefore;
        }
        YamlKeys plans = expect.keys("plan", SIDES);
        YamlKeys labels = keys.keys("labels", SIDES);
        Side sideBefore = new Side(
                label(labels, BEFORE, migrations),
                contents(sourceBefore, BEFORE, migrations),
                operation(
                        provided,
                        sourceBefore,
                        new StatementOperation(
                                before,
                                plan(plans, BEFORE, before),
                                new StatementOperation.Common(parameters, answersBefore, reset, transaction, seed),
                                true)));
        Side sideAfter = new Side(
                label(labels, AFTER, migrations),
                contents(sourceAfter, AFTER, migrations),
                operation(
                        provided,
                        sourceAfter,
                        new StatementOperation(
                                after,
                                plan(plans, AFTER, after),
                                new StatementOperation.Common(parameters, answersAfter, reset, transaction, seed),
                                false)));
        boolean sameContents = sideBefore.contents().equals(sideAfter.contents());
        if (!writes.isEmpty() && sameContents) {
            throw keys.wrong("writes", "compares the databases of the sides: add before.sql, after.sql or sides");
        }
        if (sameContents && before.statements().equals(after.statements())) {
            throw new UserError("The sides of " + folder + " are the same: write the change into after.sql or "
                    + "after.statement.sql, or what is to be compared with it into before.sql or before.statement.sql");
        }
        return new Experiment(
                id(),
                scale == null ? title : title + ", data × " + scale.factor(),
                keys.text("lesson").orElse(""),
                notes(transaction),
                null,
                sideBefore,
                sideAfter,
                published(),
                false,
                new TableNames(tables(), words(users)),
                scale != null && !scale.isLargest()
                        ? List.of()
                        : writes.stream()
                                .map(write -> write(write, sideBefore, sideAfter, parameters))
                                .toList(),
                scale);
    }

    /**
     * An entry of {@code writes}.
     *
     * @param parameters of its own, empty if it takes those of the experiment
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
        for (YamlKeys entry : keys.listOfKeys("writes", WRITE_KEYS)) {
            String name = entry.required("name");
            if (!name.matches(NAME)
                    || writes.stream().anyMatch(other -> other.name().equals(name))) {
                throw entry.wrong("name", "'" + name + "' is not one of its own of small letters, digits, - and _");
            }
            SqlFile statements = requireExplainable(
                    SqlFile.of(folder.resolve(YAML + ", write " + name), entry.required("statement")));
            SqlFile reset = entry.text("reset")
                    .map(sql -> SqlFile.of(folder.resolve(YAML + ", reset of write " + name), sql))
                    .orElse(null);
            Double maxSlowdownPercent = entry.text("max-slowdown")
                    .map(text -> Percent.parse(folder.resolve(YAML) + ": writes.max-slowdown", text))
                    .orElse(null);
            List<SqlFile> files = reset == null ? List.of(statements) : List.of(statements, reset);
            Optional<Parameters> parameters =
                    entry.text("parameters").map(file -> Parameters.of(csv(entry, file, files)));
            writes.add(new WriteEntry(name, statements, reset, parameters, maxSlowdownPercent));
        }
        return writes;
    }

    private Csv csv(YamlKeys entry, String name, List<SqlFile> users) {
        Path file = file(name);
        if (!name.endsWith(".csv") || !Files.exists(file)) {
            throw entry.wrong("parameters", "is a CSV file of the folder, and '" + name + "' is none");
        }
        Csv csv = Csv.read(file);
        requireValues(users, file, csv);
        return csv;
    }

    private MeasuredWrite write(WriteEntry entry, Side before, Side after, Parameters ofExperiment) {
        SqlFile statements = entry.statements();
        StatementOperation.Common common = new StatementOperation.Common(
                entry.parameters().orElse(ofExperiment),
                ExpectedAnswers.same(statements.last().ordered()),
                entry.reset(),
                transaction(),
                seed);
        return new MeasuredWrite(
                entry.name(),
                entry.maxSlowdownPercent(),
                StatementOperation.write(id() + "." + entry.name(), entry.name(), statements, common, before, after));
    }

    /** The name of a folder, by which its experiment is called. */
    static String requireName(Path folder) {
        String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        if (!name.matches(NAME)) {
            throw new UserError(
                    "The folder " + folder + " names its experiment: use at most 63 small letters, digits, - and _");
        }
        return name;
    }

    private String id() {
        String name = name();
        return scale == null ? name : scale.id();
    }

    private String name() {
        String name = requireName(folder);
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(".sql") || file.endsWith(".yml") || file.startsWith("parameters."))
                    .filter(file -> !FILES.contains(file))
                    .sorted()
                    .findFirst()
                    .ifPresent(file -> {
                        throw new UserError(folder.resolve(file) + " means nothing to an experiment: the files are "
                                + String.join(", ", FILES.stream().sorted().toList()));
                    });
        } catch (IOException failed) {
            throw new UserError("Cannot list " + folder + ": " + UserError.firstLine(failed), failed);
        }
        return name;
    }

    private SqlFile statements(String side) {
        Path both = file("statement.sql");
        Path own = file(side + ".statement.sql");
        Optional<SqlFile> ofSide = SqlFile.find(own);
        Optional<SqlFile> ofBoth = SqlFile.find(both);
        if (ofSide.isPresent() && ofBoth.isPresent()) {
            throw new UserError("There are " + own + " and " + both + ": keep one of them");
        }
        SqlFile statements = ofSide.or(() -> ofBoth)
                .orElseThrow(() -> new UserError(
                        "There is neither " + both + " nor " + own + ": write the statement that is measured"));
        return requireExplainable(statements);
    }

    private static SqlFile requireExplainable(SqlFile statements) {
        for (SqlStatement statement : statements.statements()) {
            if (!statement.isExplainable()) {
                throw new UserError(
                        statements.file() + ": '" + statement.words().get(0)
                                + "' has no plan, and is not measured: write SELECT, VALUES, TABLE, WITH, INSERT, UPDATE, DELETE,"
                                + " MERGE or UPSERT, and settings into before.sql or after.sql (ALTER DATABASE :DBNAME SET …)");
            }
        }
        return statements;
    }

    private List<String> tables() {
        List<String> tables = keys.texts("tables");
        for (String table : tables) {
            if (!TABLE.matcher(table).matches()) {
                throw keys.wrong(
                        "tables",
                        "has '" + table + "', which is no name of a table: write such as orders or"
                                + " public.\"Order Line\"");
            }
        }
        return tables;
    }

    private void requireReset(SqlFile statements, @Nullable SqlFile reset, StatementOperation.Transaction transaction) {
        if (reset == null && transaction != StatementOperation.Transaction.ROLLED_BACK && statements.writes()) {
            throw new UserError(statements.file() + " writes, and each run must find the same rows: add "
                    + folder.resolve("reset.sql")
                    + ", which takes a run back outside the time, or transaction: rollback to "
                    + YAML + ", which measures no commit");
        }
    }

    private StatementOperation.Transaction transaction() {
        String value = keys.text("transaction").orElse("false");
        if (value.equals("rollback")) {
            return StatementOperation.Transaction.ROLLED_BACK;
        }
        Boolean flag = YamlKeys.flag(value);
        if (flag == null) {
            throw keys.wrong("transaction", "is true, false or rollback, not '" + value + "'");
        }
        return flag ? StatementOperation.Transaction.COMMITTED : StatementOperation.Transaction.PER_STATEMENT;
    }

    private List<String> notes(StatementOperation.Transaction transaction) {
        List<String> notes = new ArrayList<>(keys.texts("notes"));
        if (transaction == StatementOperation.Transaction.ROLLED_BACK) {
            notes.add("Each run was rolled back, so the times are those of the statements without a commit.");
        }
        return notes;
    }

    private Parameters parameters(List<SqlFile> users) {
        Path file = file("parameters.csv");
        Optional<SqlFile> query = SqlFile.find(file("parameters.sql"));
        Optional<Csv> csv = Files.exists(file) ? Optional.of(Csv.read(file)) : Optional.empty();
        if (query.isPresent() && csv.isPresent()) {
            throw new UserError("There are " + file + " and " + query.get().file() + ": keep one of them");
        }
        if (query.isPresent()) {
            if (query.get().withoutParameters().statements().size() > 1
                    || query.get().statements().get(0).writes()) {
                throw new UserError(query.get().file() + ": write one query, whose rows are the parameters");
            }
            return Parameters.answeredBy(query.get(), wanted(users));
        }
        for (SqlFile used : users) {
            if (csv.isEmpty() && !wanted(List.of(used)).isEmpty()) {
                throw new UserError(used.file() + " has the parameter :"
                        + wanted(List.of(used)).iterator().next()
                        + ": add parameters.csv or parameters.sql, which give it values");
            }
        }
        csv.ifPresent(values -> requireValues(users, file, values));
        return csv.map(Parameters::of).orElseGet(Parameters::none);
    }

    private static void requireValues(List<SqlFile> users, Path file, Csv csv) {
        for (SqlFile used : users) {
            for (String name : wanted(List.of(used))) {
                if (!csv.names().contains(name)) {
                    throw new UserError(used.file() + " has the parameter :" + name + ", and " + file + " has only "
                            + String.join(", ", csv.names()));
                }
            }
        }
        if (csv.rows().isEmpty()) {
            throw new UserError(file + " has no rows of parameters: add one below its first line");
        }
    }

    /** Of what is measured, and of the scripts around it. */
    private Set<String> words(List<SqlFile> measured) {
        Stream<SqlFile> scripts = Stream.of("before.sql", "after.sql", "parameters.sql")
                .flatMap(file -> SqlFile.find(file(file)).stream());
        return Stream.concat(measured.stream(), scripts)
                .flatMap(file -> file.statements().stream())
                .flatMap(statement -> statement.words().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Set<String> wanted(List<SqlFile> files) {
        Set<String> wanted = new LinkedHashSet<>();
        for (SqlFile file : files) {
            file.statements().forEach(statement -> wanted.addAll(statement.parameters()));
        }
        return wanted;
    }

    private ExpectedAnswers answers(
            YamlKeys expect, String key, boolean ordered, Parameters parameters, Source source) {
        boolean ofBoth = key.equals("answer");
        String answer = ofBoth ? expect.text(key).orElse("same") : expect.required(key);
        if (answer.equals("any")) {
            return ExpectedAnswers.any();
        }
        if (answer.equals("same") && ofBoth) {
            return ExpectedAnswers.same(ordered);
        }
        boolean provided = answer.startsWith(GeneratedAnswers.PREFIX);
        if (!provided && !answer.endsWith(".csv")) {
            throw expect.wrong(
                    key,
                    "is " + (ofBoth ? "same, " : "") + "any, a CSV file or " + GeneratedAnswers.PREFIX + "NAME, not '"
                            + answer + "'");
        }
        if (parameters.size() > 1) {
            throw expect.wrong(key, "names rows, which can be the answer to one row of parameters only");
        }
        if (provided) {
            String name = answer.substring(GeneratedAnswers.PREFIX.length());
            if (!GeneratedAnswers.has(name)) {
                throw expect.wrong(
                        key, "names no provider '" + name + "': the providers are " + GeneratedAnswers.names());
            }
            if (!(source instanceof Movr)) {
                throw expect.wrong(key, "is '" + answer + "', which is about MovR's rows: add 'seed: movr'");
            }
            return ExpectedAnswers.of(() -> GeneratedAnswers.rows(name, generated.get()), ordered);
        }
        Path file = file(answer);
        if (!Files.exists(file)) {
            throw expect.wrong(key, "names " + file + ", and there is no such file");
        }
        List<List<String>> rows = Csv.read(file).rows();
        return ExpectedAnswers.of(() -> rows, ordered);
    }

    /** The name of the provider of the operations, empty if the statements of the folder are all that runs. */
    private Optional<String> providedOperation(@Nullable SqlFile reset, YamlKeys expect) {
        Optional<String> provider = keys.text("operation");
        if (provider.isEmpty()) {
            return provider;
        }
        String name = provider.get().replaceFirst("^" + GeneratedAnswers.PREFIX, "");
        if (name.equals(provider.get()) || !ProvidedOperations.has(name)) {
            throw keys.wrong(
                    "operation",
                    "is " + GeneratedAnswers.PREFIX + "NAME, not '" + provider.get() + "': the providers are "
                            + ProvidedOperations.names());
        }
        if (expect.has("answer") || reset != null) {
            throw keys.wrong("operation", "checks the answer and resets each run: remove expect.answer and reset.sql");
        }
        return Optional.of(name);
    }

    private Operation operation(Optional<String> provider, Source source, StatementOperation statements) {
        if (provider.isEmpty()) {
            return statements;
        }
        if (!(source instanceof Movr) || statements.parameterRows() != 1) {
            throw keys.wrong("operation", "is about MovR's rows and one row of parameters.csv: add 'seed: movr'");
        }
        return ProvidedOperations.of(provider.get(), statements, generated);
    }

    /** Returns what each statement's plan must be: of several statements a line is about those that name its table, or about one. */
    private List<List<Expectation>> plan(YamlKeys plans, String side, SqlFile statements) {
        List<String> lines = plans.texts(side);
        if (lines.isEmpty()) {
            throw plans.wrong(
                    side, "is missing: say how each table is read, such as 'full scan of orders', or 'any plan'");
        }
        List<List<Expectation>> each = new ArrayList<>();
        statements.statements().forEach(statement -> each.add(new ArrayList<>()));
        if (lines.equals(List.of(ANY_PLAN))) {
            return each;
        }
        for (String line : lines) {
            Matcher numbered = IN_STATEMENT.matcher(line);
            int number = numbered.matches() ? Integer.parseInt(numbered.group(2)) : 0;
            Expectation expectation;
            try {
                expectation = Expectation.parse(numbered.matches() ? numbered.group(1) : line);
            } catch (IllegalArgumentException unknown) {
                throw plans.wrong(side, "has " + unknown.getMessage());
            }
            boolean named = false;
            for (int index = 0; index < each.size(); index++) {
                List<String> words = statements.statements().get(index).words();
                if (number == 0 ? each.size() == 1 || expectation.isNamedIn(words) : number == index + 1) {
                    each.get(index).add(expectation);
                    named = true;
                }
            }
            if (!named) {
                throw plans.wrong(
                        side,
                        "has '" + line + "', and "
                                + (number > 0
                                        ? statements.file() + " has " + each.size() + " statements"
                                        : "no statement of " + statements.file() + " names that table"));
            }
        }
        return each;
    }

    /** The versions of the sides, empty if scripts make their schemas. */
    private Map<String, Migrations> migrations() {
        if (!keys.has("sides")) {
            return Map.of();
        }
        YamlKeys sides = keys.keys("sides", SIDES_KEYS);
        for (String script : List.of("before.sql", "after.sql")) {
            if (Files.exists(folder.resolve(script))) {
                throw keys.wrong(
                        "sides", "names versions, and there is " + folder.resolve(script) + ": keep one of them");
            }
        }
        if (keys.has("seed")) {
            throw keys.wrong("seed", "is about MovR's schema, and sides names versions of yours: write seed.sql");
        }
        List<Migrations> versions = Migrations.of(
                folder.resolve(sides.required("migrations")).normalize(),
                sides.required(BEFORE),
                sides.required(AFTER),
                sides);
        return Map.of(BEFORE, versions.get(0), AFTER, versions.get(1));
    }

    private static String label(YamlKeys labels, String side, Map<String, Migrations> migrations) {
        Migrations version = migrations.get(side);
        return labels.text(side).orElse(version == null ? side : version.name());
    }

    private Source source(String side, Map<String, Migrations> migrations) {
        int factor = scale == null ? 1 : scale.factor();
        Optional<SqlFile> script = SqlFile.find(file("seed.sql"), Map.of(SCALE, String.valueOf(factor)));
        String named = keys.hasKeys("seed")
                ? keys.keys("seed", SIDES).required(side)
                : keys.text("seed").orElse(null);
        if (script.isPresent() && named != null) {
            throw keys.wrong(
                    "seed", "is " + named + ", and there is " + script.get().file() + ": keep one of them");
        }
        if (script.isPresent()) {
            return new Seeded(script.get().withoutParameters(), Optional.ofNullable(migrations.get(BEFORE)));
        }
        if (named != null) {
            return new Movr(stage(named), factor);
        }
        if (!copies) {
            throw new UserError(folder + " has no rows: add seed.sql, or 'seed: movr' to " + YAML
                    + ", or name the database to copy with --url");
        }
        return new Named();
    }

    private Stage stage(String named) {
        if (named.equals(MOVR)) {
            return Stage.FOREIGN_KEYS;
        }
        if (!named.startsWith(MOVR + "@")) {
            throw keys.wrong("seed", "is movr or movr@STAGE, not '" + named + "'");
        }
        return Stage.ofOneRegion().stream()
                .filter(stage -> stage.id().equals(named.substring(MOVR.length() + 1)))
                .findFirst()
                .orElseThrow(() -> keys.wrong(
                        "seed",
                        "names no stage of one region: choose movr@"
                                + String.join(
                                        ", movr@",
                                        Stage.ofOneRegion().stream()
                                                .map(Stage::id)
                                                .toList())));
    }

    private Contents contents(Source source, String side, Map<String, Migrations> migrations) {
        Migrations version = migrations.get(side);
        if (version == null) {
            return new Contents(source, SqlFile.find(file(side + ".sql")).map(SqlFile::withoutParameters));
        }
        // A seed fills the tables of the earlier version, so there is nothing left to do for it.
        return new Contents(
                source, source instanceof Seeded && side.equals(BEFORE) ? Optional.empty() : Optional.of(version));
    }

    private List<Figure> published() {
        List<Figure> figures = new ArrayList<>();
        for (YamlKeys one : keys.listOfKeys("published", Set.of("ratio", "source"))) {
            double ratio = one.number("ratio");
            if (!(ratio > 0) || Double.isInfinite(ratio)) {
                throw one.wrong("ratio", "is the time before over the time after, which is more than 0");
            }
            figures.add(new Figure(
                    id(),
                    one.required("source"),
                    keys.required("title"),
                    "",
                    "",
                    "relative time",
                    "",
                    ratio,
                    1,
                    ratio));
        }
        return figures;
    }
}

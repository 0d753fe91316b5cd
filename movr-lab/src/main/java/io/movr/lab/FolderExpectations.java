package io.movr.lab;

import io.movr.UserError;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.lab.Contents.Movr;
import io.movr.lab.Contents.Source;
import io.movr.lab.ExperimentYaml.BothSides;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a folder expects of plans and answers, and the operation that checks more than SQL can say. */
final class FolderExpectations {

    private static final String ANY_PLAN = "any plan";
    private static final Pattern IN_STATEMENT = Pattern.compile("(.*) in statement (\\d{1,3})");

    private final ExperimentYaml yaml;
    private final FolderFiles files;
    private final Supplier<Answers> generated;

    /**
     * Sets it up.
     *
     * @param generated what MovR's rows must answer
     */
    FolderExpectations(ExperimentYaml yaml, FolderFiles files, Supplier<Answers> generated) {
        this.yaml = yaml;
        this.files = files;
        this.generated = generated;
    }

    /** Returns what each side must answer, the side before first. */
    List<ExpectedAnswers> answers(
            SqlFile before, SqlFile after, Parameters parameters, Source sourceBefore, Source sourceAfter) {
        boolean orderedBefore = before.last().ordered();
        boolean orderedAfter = after.last().ordered();
        BothSides answer = yaml.expect().answer();
        if (answer == null || answer.isSame()) {
            String text = answer == null ? "same" : answer.before();
            ExpectedAnswers both =
                    answers("answer", text, orderedBefore && orderedAfter, parameters, sourceBefore, true);
            return List.of(both, both);
        }
        return List.of(
                answers("answer.before", answer.before(), orderedBefore, parameters, sourceBefore, false),
                answers("answer.after", answer.after(), orderedAfter, parameters, sourceAfter, false));
    }

    private ExpectedAnswers answers(
            String key, String answer, boolean ordered, Parameters parameters, Source source, boolean ofBoth) {
        if (answer.equals("any")) {
            return ExpectedAnswers.any();
        }
        if (answer.equals("same") && ofBoth) {
            return ExpectedAnswers.same(ordered);
        }
        boolean provided = answer.startsWith(GeneratedAnswers.PREFIX);
        if (!provided && !answer.endsWith(".csv")) {
            throw wrong(
                    key,
                    "is " + (ofBoth ? "same, " : "") + "any, a CSV file or " + GeneratedAnswers.PREFIX + "NAME, not '"
                            + answer + "'");
        }
        if (parameters.size() > 1) {
            throw wrong(key, "names rows, which can be the answer to one row of parameters only");
        }
        if (provided) {
            return ofGenerator(key, answer, ordered, source);
        }
        Path file = files.file(answer);
        if (!Files.exists(file)) {
            throw wrong(key, "names " + file + ", and there is no such file");
        }
        List<List<String>> rows = Csv.read(file).rows();
        return ExpectedAnswers.of(() -> rows, ordered);
    }

    private ExpectedAnswers ofGenerator(String key, String answer, boolean ordered, Source source) {
        String name = answer.substring(GeneratedAnswers.PREFIX.length());
        if (!GeneratedAnswers.has(name)) {
            throw wrong(key, "names no provider '" + name + "': the providers are " + GeneratedAnswers.names());
        }
        if (!(source instanceof Movr)) {
            throw wrong(key, "is '" + answer + "', which needs MovR's rows: add 'seed: movr'");
        }
        return ExpectedAnswers.of(() -> GeneratedAnswers.rows(name, generated.get()), ordered);
    }

    /** Returns the expected plan of each statement. A line applies to the statements that name its table, or to the one it numbers. */
    List<List<Expectation>> plan(String side, List<String> lines, SqlFile statements) {
        if (lines.isEmpty()) {
            throw wrong(
                    "plan." + side,
                    "is missing: say how each table is read, such as 'full scan of orders', or 'any plan'");
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
                throw wrong("plan." + side, "has " + unknown.getMessage());
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
                throw wrong(
                        "plan." + side,
                        "has '" + line + "', and "
                                + (number > 0
                                        ? statements.file() + " has " + each.size() + " statements"
                                        : "no statement of " + statements.file() + " names that table"));
            }
        }
        return each;
    }

    /** Returns the name of the provider of the operations, empty if the statements of the folder are all that runs. */
    Optional<String> provider(@Nullable SqlFile reset) {
        String operation = yaml.operation();
        if (operation == null) {
            return Optional.empty();
        }
        String name = operation.replaceFirst("^" + GeneratedAnswers.PREFIX, "");
        if (name.equals(operation) || !ProvidedOperations.has(name)) {
            throw wrongOperation("is " + GeneratedAnswers.PREFIX + "NAME, not '" + operation + "': the providers are "
                    + ProvidedOperations.names());
        }
        if (yaml.expect().answer() != null || reset != null) {
            throw wrongOperation("checks the answer and resets each run: remove expect.answer and reset.sql");
        }
        return Optional.of(name);
    }

    /** Returns the operation of a side: its statements, or what a provider makes of them. */
    Operation operation(Optional<String> provider, Source source, StatementOperation statements) {
        if (provider.isEmpty()) {
            return statements;
        }
        if (!(source instanceof Movr) || statements.parameterRows() != 1) {
            throw wrongOperation("needs MovR's rows and one row of parameters.csv: add 'seed: movr'");
        }
        return ProvidedOperations.of(provider.get(), statements, generated);
    }

    private UserError wrong(String key, String what) {
        return new UserError(files.file(FolderFiles.YAML) + ": expect." + key + " " + what);
    }

    private UserError wrongOperation(String what) {
        return new UserError(files.file(FolderFiles.YAML) + ": operation " + what);
    }
}

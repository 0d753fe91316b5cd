package io.movr.lab;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of the folder of an experiment. A file outside the folder is refused, also behind a symbolic link. */
final class FolderFiles {

    static final String YAML = "experiment.yaml";

    private static final Set<String> NAMES = Set.of(
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

    private static final String FOLDER_NAME = "[a-z0-9][a-z0-9_-]{0,62}";

    private final Path folder;

    FolderFiles(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /**
     * Returns the name of a folder, which is that of its experiment.
     *
     * @throws UserError if it is no name for an experiment
     */
    static String requireName(Path folder) {
        String name = String.valueOf(folder.toAbsolutePath().normalize().getFileName());
        if (!name.matches(FOLDER_NAME)) {
            throw new UserError(
                    "The folder " + folder + " names its experiment: use at most 63 small letters, digits, - and _");
        }
        return name;
    }

    /**
     * Requires that every script and every file of parameters has a name that means something.
     *
     * @throws UserError naming the first that has not
     */
    void requireKnown() {
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(".sql") || file.endsWith(".yml") || file.startsWith("parameters."))
                    .filter(file -> !NAMES.contains(file))
                    .sorted()
                    .findFirst()
                    .ifPresent(file -> {
                        throw new UserError(folder.resolve(file) + " means nothing to an experiment: the files are "
                                + String.join(", ", NAMES.stream().sorted().toList()));
                    });
        } catch (IOException failed) {
            throw new UserError("Cannot list " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Returns a file of the folder, which may be missing.
     *
     * @throws UserError if it is outside the folder, or is no regular file
     */
    Path file(String name) {
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

    /** Reads a script; empty if there is none. */
    Optional<SqlFile> script(String name) {
        return SqlFile.find(file(name));
    }

    /** Reads a script, with values for its variables; empty if there is none. */
    Optional<SqlFile> script(String name, Map<String, String> variables) {
        return SqlFile.find(file(name), variables);
    }

    /** Reads the measured statements of a side. */
    SqlFile statements(String side) {
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

    /**
     * Requires that statements have plans.
     *
     * @throws UserError naming the first that has none
     */
    static SqlFile requireExplainable(SqlFile statements) {
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

    /** Reads the parameters of some statements. */
    Parameters parameters(List<SqlFile> users) {
        Path file = file("parameters.csv");
        Optional<SqlFile> query = script("parameters.sql");
        Optional<Csv> csv = Files.exists(file) ? Optional.of(Csv.read(file)) : Optional.empty();
        if (query.isPresent() && csv.isPresent()) {
            throw new UserError("There are " + file + " and " + query.get().file() + ": keep one of them");
        }
        if (query.isPresent()) {
            if (query.get().withoutParameters().statements().size() > 1
                    || query.get().statements().get(0).writes()) {
                throw new UserError(query.get().file() + ": write one query, whose rows are the parameters");
            }
            return Parameters.answeredBy(query.get(), parametersOf(users));
        }
        for (SqlFile user : users) {
            Set<String> wanted = parametersOf(List.of(user));
            if (csv.isEmpty() && !wanted.isEmpty()) {
                throw new UserError(user.file() + " has the parameter :"
                        + wanted.iterator().next()
                        + ": add parameters.csv or parameters.sql, which give it values");
            }
        }
        csv.ifPresent(values -> requireValues(users, file, values));
        return csv.map(Parameters::of).orElseGet(Parameters::none);
    }

    /** Requires that a file has rows with a value for each parameter of some statements. */
    static void requireValues(List<SqlFile> users, Path file, Csv csv) {
        for (SqlFile user : users) {
            for (String name : parametersOf(List.of(user))) {
                if (!csv.names().contains(name)) {
                    throw new UserError(user.file() + " has the parameter :" + name + ", and " + file + " has only "
                            + String.join(", ", csv.names()));
                }
            }
        }
        if (csv.rows().isEmpty()) {
            throw new UserError(file + " has no rows of parameters: add one below its first line");
        }
    }

    /** Returns the words of the measured statements and of the scripts around them. */
    Set<String> words(List<SqlFile> measured) {
        Stream<SqlFile> scripts =
                Stream.of("before.sql", "after.sql", "parameters.sql").flatMap(name -> script(name).stream());
        return Stream.concat(measured.stream(), scripts)
                .flatMap(file -> file.statements().stream())
                .flatMap(statement -> statement.words().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    static Set<String> parametersOf(List<SqlFile> files) {
        return files.stream()
                .flatMap(file -> file.statements().stream())
                .flatMap(statement -> statement.parameters().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}

package io.movr.lab;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.environment.StatementTimeout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;

/**
 * The migrations of a folder up to a version, which Flyway runs.
 *
 * @param folder with files such as {@code V41__orders.sql}, also in folders below it
 */
record Migrations(Path folder, MigrationVersion version) implements Contents.Change {

    private static final Pattern VERSIONED = Pattern.compile("V(\\d[\\d._]*)__.*\\.sql");
    private static final String LIQUIBASE = "--liquibase formatted sql";
    private static final int CONNECTIONS = 2;

    /**
     * Returns the versions of both sides.
     *
     * @throws UserError if the folder holds no such versions, {@code before} is not the earlier of them, or a script
     *     {@linkplain DatabaseBoundary reaches outside its database}
     */
    static List<Migrations> of(Path folder, String before, String after, Path yaml) {
        List<MigrationVersion> known = versions(folder, yaml);
        Migrations first = new Migrations(folder, version("before", before, known, yaml));
        Migrations last = new Migrations(folder, version("after", after, known, yaml));
        if (first.version().compareTo(last.version()) >= 0) {
            throw wrong(
                    yaml,
                    "after",
                    "is version " + after + ", which does not come after version " + before + " of before");
        }
        return List.of(first, last);
    }

    private static List<MigrationVersion> versions(Path folder, Path yaml) {
        if (!Files.exists(folder)) {
            throw wrong(yaml, "migrations", "names " + folder + ", and there is no such folder");
        }
        // Flyway follows links, and reads everything that is no folder.
        try (Stream<Path> below = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            List<Path> files =
                    below.filter(file -> !Files.isDirectory(file)).sorted().toList();
            for (Path file : files) {
                if (!Files.isRegularFile(file)) {
                    throw wrong(yaml, "migrations", "has " + file + ", which is no regular file: remove it");
                }
            }
            List<MigrationVersion> versions = files.stream()
                    .map(file -> VERSIONED.matcher(String.valueOf(file.getFileName())))
                    .filter(Matcher::matches)
                    .map(name -> MigrationVersion.fromVersion(name.group(1)))
                    .sorted()
                    .toList();
            if (!versions.isEmpty()) {
                for (Path file : files) {
                    if (String.valueOf(file.getFileName()).endsWith(".sql")) {
                        DatabaseBoundary.require(file, Files.readString(file));
                    }
                }
                return versions;
            }
            for (Path file : files) {
                if (isOfLiquibase(file)) {
                    throw wrong(
                            yaml,
                            "migrations",
                            "has the changelog of Liquibase " + file + ", and only Flyway's migrations are run: let"
                                    + " 'liquibase update-sql' write the SQL of a change, and name it after.sql");
                }
            }
        } catch (IOException | UncheckedIOException failed) {
            throw new UserError("Cannot read " + folder + ": " + UserError.firstLine(failed), failed);
        }
        throw wrong(yaml, "migrations", "names " + folder + ", where no file has a name such as V1__orders.sql");
    }

    private static UserError wrong(Path yaml, String key, String what) {
        return new UserError(yaml + ": sides." + key + " " + what);
    }

    private static boolean isOfLiquibase(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(".sql")) {
            return Files.readString(file)
                    .stripLeading()
                    .toLowerCase(Locale.ROOT)
                    .startsWith(LIQUIBASE);
        }
        return name.matches(".*\\.(xml|ya?ml|json)") && Files.readString(file).contains("databaseChangeLog");
    }

    private static MigrationVersion version(String side, String text, List<MigrationVersion> known, Path yaml) {
        Optional<MigrationVersion> version = text.matches("\\d[\\d._]*")
                ? Optional.of(MigrationVersion.fromVersion(text)).filter(known::contains)
                : Optional.empty();
        return version.orElseThrow(() -> wrong(
                yaml,
                side,
                "is '" + text + "', and the versions are "
                        + known.stream().map(MigrationVersion::getVersion).collect(Collectors.joining(", "))
                        + ": write one of them"));
    }

    @Override
    public Path file() {
        return folder.resolve(name());
    }

    @Override
    public String name() {
        return "version " + version.getVersion();
    }

    @Override
    public double run(Gateway database, Gateway asUser) {
        try (HikariDataSource connections = StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT)
                .pool("movr-lab-migrations", CONNECTIONS)) {
            Flyway flyway = Flyway.configure()
                    .dataSource(connections)
                    .locations("filesystem:" + folder.toAbsolutePath().normalize())
                    .target(version)
                    // Without it an index that is built CONCURRENTLY would wait for Flyway's own lock.
                    .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                    .load();
            long startedNanos = System.nanoTime();
            flyway.migrate();
            double seconds = (System.nanoTime() - startedNanos) / 1e9;
            MigrationInfo current = flyway.info().current();
            if (current == null || !version.equals(current.getVersion())) {
                throw new UserError(
                        "The database " + (current == null ? "has no version" : "is at version " + current.getVersion())
                                + ", and " + name() + " of " + folder
                                + " comes before it: name later versions, or a database that is not so far");
            }
            return seconds;
        } catch (FlywayException failed) {
            throw new UserError(folder + ", " + name() + ": " + reason(failed), failed);
        }
    }

    private static String reason(FlywayException failed) {
        String first = UserError.firstLine(failed);
        if (first.contains("non-empty schema")) {
            return "the database has tables and no table flyway_schema_history, so it is not known which migrations it"
                    + " has: name a database that Flyway has migrated, or an empty one";
        }
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException) {
                return first + ": " + UserError.firstLine(cause);
            }
        }
        return first;
    }
}

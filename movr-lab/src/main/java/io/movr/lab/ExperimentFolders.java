package io.movr.lab;

import io.movr.UserError;
import io.movr.dataset.DatasetSpec;
import io.movr.lab.Contents.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The experiments that users describe in folders, and how a database is copied for them. */
public final class ExperimentFolders {

    private final List<Experiment> experiments;
    private final long maxBytes;
    private final @Nullable String inPlace;
    private final @Nullable CopyKind kind;

    /** The ways in which PostgreSQL copies a database. */
    enum CopyKind {
        TEMPLATE,
        TABLES
    }

    private ExperimentFolders(
            List<Experiment> experiments, long maxBytes, @Nullable String inPlace, @Nullable CopyKind kind) {
        this.experiments = List.copyOf(experiments);
        this.maxBytes = maxBytes;
        this.inPlace = inPlace;
        this.kind = kind;
    }

    /** Returns no experiments. */
    public static ExperimentFolders none() {
        return new ExperimentFolders(List.of(), 0, null, null);
    }

    /**
     * Reads folders, each an experiment or a parent of experiments.
     *
     * @param copies whether there is a database to copy for experiments without rows of their own
     * @param maxBytes the size that all copies of it may have together
     * @param rows the rows of MovR; their seed is also that of the order of parameters
     * @throws UserError if a folder holds no experiment, or anything in one is wrong
     */
    public static ExperimentFolders read(List<Path> folders, boolean copies, long maxBytes, DatasetSpec rows) {
        List<Experiment> all = new ArrayList<>();
        for (Path folder : folders) {
            for (Path one : experimentsIn(folder)) {
                List<Experiment> ofFolder = ExperimentFolder.readEachScale(one, copies, rows);
                String name = FolderFiles.requireName(one);
                if (Lab.experiments().contains(name)
                        || Lab.ofTraffic().contains(name)
                        || all.stream().anyMatch(other -> isNamed(other, name))) {
                    throw new UserError("There is another experiment '" + name + "': rename the folder " + one);
                }
                all.addAll(ofFolder);
            }
        }
        return new ExperimentFolders(all, maxBytes, null, null);
    }

    /**
     * Returns the same experiments, measured on the named database itself instead of copies.
     *
     * @param database the name of the database, as the user has typed it
     * @param wanted the ids of the experiments that are measured
     * @throws UserError if one of these has rows of its own, or sides with different schemas
     */
    public ExperimentFolders inPlace(String database, List<String> wanted) {
        for (String id : wanted) {
            Experiment experiment = of(List.of(id)).stream()
                    .findFirst()
                    .orElseThrow(() -> new UserError("--in-place requires experiments of folders, and " + id
                            + " is none of them: remove one of the options"));
            if (!(experiment.before().contents().source() instanceof Named)) {
                throw new UserError(id + " has rows of its own and needs no database of yours: remove --in-place,"
                        + " or choose others with --only");
            }
            if (!experiment.before().contents().equals(experiment.after().contents())) {
                throw new UserError(id + " changes the schema, which --in-place would leave changed: leave --in-place"
                        + " out, so that it is measured on copies, or let its sides differ by their statements only");
            }
        }
        return new ExperimentFolders(experiments, maxBytes, database, null);
    }

    /**
     * Returns the same experiments, with one kind of copies of a PostgreSQL database.
     *
     * @param kind {@code template} or {@code tables}
     * @throws UserError if the kind is another
     */
    public ExperimentFolders copiedBy(String kind) {
        CopyKind known = switch (kind) {
            case "template" -> CopyKind.TEMPLATE;
            case "tables" -> CopyKind.TABLES;
            default -> throw new UserError("--copy " + kind + " is unknown: choose template or tables");
        };
        return new ExperimentFolders(experiments, maxBytes, inPlace, known);
    }

    private static List<Path> experimentsIn(Path folder) {
        if (Files.exists(folder.resolve(FolderFiles.YAML))) {
            return List.of(folder);
        }
        if (!Files.isDirectory(folder)) {
            throw new UserError("There is no folder " + folder + ": name one that holds " + FolderFiles.YAML
                    + ", or a parent of such folders");
        }
        try (Stream<Path> below = Files.list(folder)) {
            List<Path> found = below.filter(one -> Files.exists(one.resolve(FolderFiles.YAML)))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new UserError("Neither " + folder + " nor a folder in it holds " + FolderFiles.YAML
                        + ": docs/experiments.md says what an experiment is");
            }
            return found;
        } catch (IOException failed) {
            throw new UserError("Cannot list " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    /** Returns the ids in the order of the folders. */
    public List<String> ids() {
        return experiments.stream().map(Experiment::id).toList();
    }

    /** Returns the ids that names mean: the name of a folder with scales means all of its experiments. */
    public List<String> named(List<String> names) {
        return names.stream()
                .flatMap(name -> {
                    List<String> scales = experiments.stream()
                            .filter(experiment -> isNamed(experiment, name))
                            .map(Experiment::id)
                            .toList();
                    return scales.isEmpty() ? Stream.of(name) : scales.stream();
                })
                .toList();
    }

    private static boolean isNamed(Experiment experiment, String name) {
        return experiment.id().equals(name) || experiment.id().startsWith(name + DataScale.SEPARATOR);
    }

    /** Returns the titles by id, in the order of the folders. */
    public Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        experiments.forEach(experiment -> titles.put(experiment.id(), experiment.title()));
        return titles;
    }

    /** Returns the name of the database that is measured itself, as the user has typed it; empty if copies are measured. */
    Optional<String> inPlace() {
        return Optional.ofNullable(inPlace);
    }

    /** Returns how a PostgreSQL database must be copied; empty if any way is allowed. */
    Optional<CopyKind> copyKind() {
        return Optional.ofNullable(kind);
    }

    long maxBytes() {
        return maxBytes;
    }

    List<Experiment> of(List<String> wanted) {
        return experiments.stream()
                .filter(experiment -> wanted.contains(experiment.id()))
                .toList();
    }
}

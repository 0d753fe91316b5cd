package io.movr.lab;

import io.movr.UserError;
import io.movr.dataset.DatasetSpec;
import io.movr.lab.Experiment.Multiple;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The experiments of folders, and how much space copies of a database may take for them. */
public final class ExperimentFolders {

    private final List<Experiment> experiments;
    private final long mostBytes;

    private ExperimentFolders(List<Experiment> experiments, long mostBytes) {
        this.experiments = List.copyOf(experiments);
        this.mostBytes = mostBytes;
    }

    /** None. */
    public static ExperimentFolders none() {
        return new ExperimentFolders(List.of(), 0);
    }

    /**
     * Reads folders, each an experiment or a parent of experiments.
     *
     * @param copies whether there is a database to copy for experiments without rows of their own
     * @param mostBytes that all copies of it may take together
     * @param rows of MovR; their seed is also that of the order of parameters
     * @throws UserError if a folder holds no experiment, or anything in one is wrong
     */
    public static ExperimentFolders read(List<Path> folders, boolean copies, long mostBytes, DatasetSpec rows) {
        List<Experiment> all = new ArrayList<>();
        for (Path folder : folders) {
            for (Path one : experimentsIn(folder)) {
                List<Experiment> ofFolder = ExperimentFolder.readEachScale(one, copies, rows);
                String name = ExperimentFolder.requireName(one);
                if (Lab.experiments().contains(name)
                        || Lab.ofTraffic().contains(name)
                        || all.stream().anyMatch(other -> isNamed(other, name))) {
                    throw new UserError("There is another experiment '" + name + "': rename the folder " + one);
                }
                all.addAll(ofFolder);
            }
        }
        return new ExperimentFolders(all, mostBytes);
    }

    private static List<Path> experimentsIn(Path folder) {
        if (Files.exists(folder.resolve(ExperimentFolder.YAML))) {
            return List.of(folder);
        }
        if (!Files.isDirectory(folder)) {
            throw new UserError("There is no folder " + folder + ": name one that holds " + ExperimentFolder.YAML
                    + ", or a parent of such folders, with --experiments");
        }
        try (Stream<Path> below = Files.list(folder)) {
            List<Path> found = below.filter(one -> Files.exists(one.resolve(ExperimentFolder.YAML)))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new UserError("Neither " + folder + " nor a folder in it holds " + ExperimentFolder.YAML
                        + ": docs/experiments.md says what an experiment is");
            }
            return found;
        } catch (IOException failed) {
            throw new UserError("Cannot list " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    /** The ids, in the order of the folders. */
    public List<String> ids() {
        return experiments.stream().map(Experiment::id).toList();
    }

    /** The ids that names stand for: that of a folder with scales stands for all of them. */
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
        return experiment.id().equals(name) || experiment.id().startsWith(name + Multiple.AT);
    }

    /** The titles by id, in the order of the folders. */
    public Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        experiments.forEach(experiment -> titles.put(experiment.id(), experiment.title()));
        return titles;
    }

    long mostBytes() {
        return mostBytes;
    }

    List<Experiment> of(List<String> wanted) {
        return experiments.stream()
                .filter(experiment -> wanted.contains(experiment.id()))
                .toList();
    }
}

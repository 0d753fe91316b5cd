package io.movr.lab;

import io.movr.UserError;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.PublishedRows;
import io.movr.dataset.Scale;
import io.movr.dataset.Table;
import io.movr.environment.Program;
import io.movr.report.LabResults.Unit;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The request for a run of the laboratory.
 *
 * @param experiments the ids of the experiments in any order, the experiments of traffic included
 * @param scale the name of the scale of the dataset
 * @param connections the number of connections that load rows
 * @param samples the number of samples of each side, {@code null} for as many as fit into some seconds
 * @param out the folder in which the run bundle is made
 * @param force whether to measure even if the preflight finds a problem
 * @param keepAwake whether to keep the processors from falling asleep while measuring
 * @param unit the unit in which medians are reported too, {@code null} if there is none
 * @param program the version and the commit of this program
 * @param command the words of the command line, for the record
 * @param folders the experiments that users describe in folders
 */
public record LabRequest(
        List<String> experiments,
        String scale,
        DatasetSpec dataset,
        int connections,
        @Nullable Integer samples,
        Path out,
        boolean force,
        boolean keepAwake,
        @Nullable Unit unit,
        Program program,
        List<String> command,
        ExperimentFolders folders) {

    /** The minimum number of samples of a side. */
    public static final int MIN_SAMPLES = 30;

    /** A request for built-in experiments only. */
    public LabRequest(
            List<String> experiments,
            String scale,
            DatasetSpec dataset,
            int connections,
            @Nullable Integer samples,
            Path out,
            boolean force,
            boolean keepAwake,
            @Nullable Unit unit,
            Program program,
            List<String> command) {
        this(
                experiments,
                scale,
                dataset,
                connections,
                samples,
                out,
                force,
                keepAwake,
                unit,
                program,
                command,
                ExperimentFolders.none());
    }

    public LabRequest {
        if (samples != null && samples < MIN_SAMPLES) {
            throw new UserError("--samples " + samples + " is too few to conclude anything: at least " + MIN_SAMPLES);
        }
        if (samples != null && samples > 100_000) {
            throw new UserError("--samples " + samples + " is out of range: at most 100000");
        }
        List<String> known = Stream.of(folders.ids(), Lab.experiments(), Lab.ofTraffic())
                .flatMap(List::stream)
                .toList();
        if (experiments.isEmpty()) {
            throw new UserError("No experiment is named: choose from " + String.join(", ", known));
        }
        for (String id : experiments) {
            if (!known.contains(id)) {
                throw new UserError("There is no experiment '" + id + "': choose from " + String.join(", ", known));
            }
        }
        if (!folders.ids().containsAll(experiments)) {
            requirePublishedRows(dataset);
        }
        experiments = List.copyOf(experiments);
    }

    /** Returns the requested experiments that {@link Lab} measures. */
    public List<String> ofStatements() {
        return experiments.stream()
                .filter(id -> Lab.experiments().contains(id) || folders.ids().contains(id))
                .toList();
    }

    /** Returns the requested experiments that need several regions. */
    public List<String> ofRegions() {
        return experiments.stream()
                .filter(id ->
                        Lab.experiments().contains(id) && !Lab.ofOneRegion().contains(id))
                .toList();
    }

    /** Returns whether any requested experiment needs MovR's rows. */
    public boolean loadsMovr() {
        return !folders.ids().containsAll(experiments)
                || folders.of(experiments).stream()
                        .anyMatch(experiment -> experiment.before().contents().source() instanceof Contents.Movr);
    }

    /** Returns how many rows of MovR are loaded, at all scales together. */
    public long totalRows() {
        Set<Integer> scales = new HashSet<>();
        if (!folders.ids().containsAll(experiments)) {
            scales.add(1);
        }
        for (Experiment experiment : folders.of(experiments)) {
            if (experiment.before().contents().source() instanceof Contents.Movr movr) {
                scales.add(movr.scale());
            }
        }
        return scales.stream()
                .mapToLong(scale -> dataset.times(scale).totalRows())
                .sum();
    }

    /** Returns the requested experiments that traffic measures. */
    public List<String> ofTraffic() {
        return experiments.stream().filter(Lab.ofTraffic()::contains).toList();
    }

    private static void requirePublishedRows(DatasetSpec dataset) {
        if (!dataset.cities().contains(PublishedRows.CITY)) {
            throw new UserError("The published statements read rows in " + PublishedRows.CITY + ": keep "
                    + PublishedRows.CITY + " among --cities");
        }
        requireMinimum("users", dataset, Table.USERS);
        requireMinimum("vehicles", dataset, Table.VEHICLES);
        requireMinimum("rides", dataset, Table.RIDES);
    }

    private static void requireMinimum(String option, DatasetSpec dataset, Table table) {
        long minimum = Scale.TINY.spec(1).count(table);
        if (dataset.count(table) < minimum) {
            throw new UserError(option + " " + dataset.count(table) + " is too few to measure anything: at least "
                    + minimum + ", as in --scale tiny");
        }
    }
}

package io.movr.lab;

import io.movr.UserError;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.PublishedRows;
import io.movr.dataset.Scale;
import io.movr.dataset.Table;
import io.movr.environment.Program;
import io.movr.report.LabResults;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the laboratory shall do.
 *
 * @param experiments ids, in any order, those of traffic among them
 * @param scale name of the dataset's scale
 * @param connections that load rows
 * @param samples of each side, {@code null} for as many as fit into some seconds
 * @param out folder that the run bundle is made in
 * @param force whether to measure although the preflight finds a problem
 * @param keepAwake whether to keep the processors from falling asleep while measuring
 * @param unit that medians are also given in, {@code null} if there is none
 * @param program version and commit of this program
 * @param command the words of the command line, for the record
 * @param folders experiments beside the built-in ones
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
        LabResults.@Nullable Unit unit,
        Program program,
        List<String> command,
        ExperimentFolders folders) {

    /** The fewest samples of a side from which anything is concluded. */
    public static final int MIN_SAMPLES = 30;

    /** One of built-in experiments alone. */
    public LabRequest(
            List<String> experiments,
            String scale,
            DatasetSpec dataset,
            int connections,
            @Nullable Integer samples,
            Path out,
            boolean force,
            boolean keepAwake,
            LabResults.@Nullable Unit unit,
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

    /** Those experiments that the laboratory measures itself. */
    public List<String> ofStatements() {
        return experiments.stream()
                .filter(id -> Lab.experiments().contains(id) || folders.ids().contains(id))
                .toList();
    }

    /** Those experiments that need several regions. */
    public List<String> ofRegions() {
        return experiments.stream()
                .filter(id ->
                        Lab.experiments().contains(id) && !Lab.ofOneRegion().contains(id))
                .toList();
    }

    /** Whether any of them needs MovR's rows. */
    public boolean loadsMovr() {
        return !folders.ids().containsAll(experiments)
                || folders.of(experiments).stream()
                        .anyMatch(experiment -> experiment.before().contents().source() instanceof Contents.Movr);
    }

    /** The rows of MovR that are loaded: of experiments at several scales those of all of them. */
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

    /** Those experiments that traffic measures. */
    public List<String> ofTraffic() {
        return experiments.stream().filter(Lab.ofTraffic()::contains).toList();
    }

    private static void requirePublishedRows(DatasetSpec dataset) {
        if (!dataset.cities().contains(PublishedRows.CITY)) {
            throw new UserError("The published statements read rows in " + PublishedRows.CITY + ": keep "
                    + PublishedRows.CITY + " among --cities");
        }
        least("--users", dataset, Table.USERS);
        least("--vehicles", dataset, Table.VEHICLES);
        least("--rides", dataset, Table.RIDES);
    }

    private static void least(String option, DatasetSpec dataset, Table table) {
        long least = Scale.TINY.spec(1).count(table);
        if (dataset.count(table) < least) {
            throw new UserError(option + " " + dataset.count(table) + " is too few to measure anything: at least "
                    + least + ", as in --scale tiny");
        }
    }
}

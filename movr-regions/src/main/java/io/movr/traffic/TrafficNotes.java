package io.movr.traffic;

import io.movr.database.Cluster;
import io.movr.report.TrafficResults;
import io.movr.stats.RunStatistics;
import java.util.ArrayList;
import java.util.List;

/** The notes of a result, which state the conditions of the run that limit what its figures show. */
final class TrafficNotes {

    private TrafficNotes() {}

    /**
     * Returns the notes on a run, each a sentence or two.
     *
     * @param cluster the cluster of the runs before the migration
     * @param withoutDistances whether a migration without traffic ran without the simulated distances between regions
     */
    static List<String> of(RunOrder order, TrafficPlan plan, Cluster cluster, boolean withoutDistances) {
        List<String> notes = new ArrayList<>();
        notes.add(
                order == RunOrder.ALTERNATING
                        ? "Each stage has a database of its own with the same rows. Runs before and after alternate (before,"
                                + " after, after, before), and the ratios are those of pairs of runs, so slow drift of the"
                                + " machine favours neither stage."
                        : TrafficResults.Load.DRIFT);
        if (plan.during()) {
            notes.add(
                    "Traffic during the migration was sent once, so its figures include all other changes during that time.");
        }
        if (!cluster.servers().isEmpty()) {
            notes.add("Three PostgreSQL servers on one machine, connected by links that delay every byte. Rows are"
                    + " not replicated for fault tolerance, and no transaction is atomic across regions.");
            notes.add(
                    "Before stage 7 every statement of a remote region takes one round trip to the primary region. From stage 7 on"
                            + " a statement on rows of another region uses postgres_fdw, which takes 3 to 5 round trips"
                            + " where CockroachDB takes one, so the share of remote requests matters more here.");
            notes.add(
                    "Promo codes are replicated to other regions asynchronously, whereas writes to GLOBAL tables of CockroachDB wait"
                            + " until all regions can read them.");
        }
        notes.add("The published figures come from one closed-loop client in each region on another engine. They count"
                + " statements; the figures here count requests of several statements, the same before"
                + " and after. Ratios can be compared, rates and milliseconds cannot.");
        if (!plan.during() && withoutDistances) {
            notes.add("The migration and its times are without the distances between the regions."
                    + " --during measures the migration with distances.");
        }
        if (plan.killed() != null) {
            notes.add(
                    "The nodes stored their rows on disk, so that the nodes of a region could be killed and restarted.");
        }
        if (plan.runs() < RunStatistics.MIN_RUNS) {
            notes.add("Fewer than " + RunStatistics.MIN_RUNS
                    + " runs at a stage: intervals cover these runs only, and there is no verdict.");
        }
        if (cluster.links().isEmpty() && plan.matrixSamples() > 0) {
            notes.add("The distances between the regions of this cluster are unknown, so there is no prediction for"
                    + " single statements.");
        }
        return notes;
    }
}

package io.movr.check;

import io.movr.check.DependencyGraph.Components;
import io.movr.check.Edge.Kind;
import io.movr.check.ListVersions.Element;
import io.movr.check.ListVersions.Read;
import io.movr.check.Transaction.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The search for lost updates, and for cycles of dependencies between committed transactions. It starts with few
 * kinds of edges and adds the others; transactions that were reported are not reported again with more kinds of
 * edges.
 */
final class Cycles {

    private static final int WRITES = Kind.WW.mask;
    private static final int WRITES_AND_READS = WRITES | Kind.WR.mask;
    private static final int DATA = WRITES_AND_READS | Kind.RW.mask;
    private static final int ALL = DATA | Kind.RT.mask;

    /** The maximum number of transactions of a component from which a shortest cycle is searched. */
    private static final int MAX_STARTS = 8;

    /** The maximum number of edges that the search for read skew visits, which takes a few seconds. */
    private static final long MAX_EDGE_VISITS = 300_000_000;

    /** The maximum number of edges from reads of the last known state of a list to appends that no read shows. */
    private static final long MAX_PAIRS = 1_000_000;

    private final List<Transaction> history;
    private final Lists lists;
    private final Findings findings;

    /** The index in the history of each node. Nodes are committed transactions in the order of their ends. */
    private final int[] historyIndex;

    /** The node of each transaction of the history; -1 if it did not commit. */
    private final int[] nodeOf;

    private final DependencyGraph graph;

    /** The length of the list that the transactions of a lost update read. */
    private final Map<Update, Integer> lostUpdates = new HashMap<>();

    /** Nodes whose cycles have been reported. */
    private final BitSet reported = new BitSet();

    private boolean truncated;

    /** A transaction that read a list and then appended to it. */
    private record Update(int node, int list) {}

    Cycles(List<Transaction> history, Lists lists, Findings findings) {
        this.history = history;
        this.lists = lists;
        this.findings = findings;
        historyIndex = IntStream.range(0, history.size())
                .filter(lists::committed)
                .boxed()
                .sorted(Comparator.comparingLong(this::timeOf))
                .mapToInt(Integer::intValue)
                .toArray();
        nodeOf = new int[history.size()];
        Arrays.fill(nodeOf, -1);
        for (int node = 0; node < historyIndex.length; node++) {
            nodeOf[historyIndex[node]] = node;
        }
        graph = new DependencyGraph(historyIndex.length);
    }

    /** Returns the approximate time at which a transaction took effect. */
    private long timeOf(int number) {
        Transaction transaction = history.get(number);
        return transaction.outcome() == Outcome.OK ? transaction.end() : transaction.begin();
    }

    /** Returns whether the search reached a limit, so that anomalies may be missing. */
    boolean truncated() {
        return truncated;
    }

    /** Returns the number of committed transactions. */
    int transactions() {
        return historyIndex.length;
    }

    /**
     * Finds lost updates and cycles.
     *
     * @param staleReaders the indexes of transactions with stale reads, whose real-time cycles are not reported again
     */
    void find(BitSet staleReaders) {
        for (ListVersions list : lists.all()) {
            findLostUpdates(list);
        }
        for (ListVersions list : lists.all()) {
            addDependencies(list);
        }
        addRealTime();
        graph.sort();
        Components byWrites = graph.components(WRITES);
        reportCycles(byWrites, WRITES, AnomalyType.G0);
        Components byReads = graph.components(WRITES_AND_READS);
        reportCycles(byReads, WRITES_AND_READS, AnomalyType.G1C);
        findMissedWrites(graph.components(DATA), byReads);
        staleReaders.stream().forEach(number -> reported.set(nodeOf[number]));
        reportCycles(graph.components(ALL), ALL, AnomalyType.REAL_TIME);
    }

    private void findLostUpdates(ListVersions list) {
        Map<Integer, List<Read>> updates = new LinkedHashMap<>();
        for (Read read : list.reads) {
            if (read.followedByAppend && read.length >= 0) {
                updates.computeIfAbsent(read.length, length -> new ArrayList<>(1))
                        .add(read);
            }
        }
        for (List<Read> same : updates.values()) {
            if (same.size() < 2) {
                continue;
            }
            for (Read read : same) {
                lostUpdates.put(new Update(nodeOf[read.transaction], list.number), read.length);
            }
            findings.add(AnomalyType.LOST_UPDATE, names -> {
                int length = same.get(0).length;
                String state = length == 0 ? "empty" : "up to " + list.order.get(length - 1).value;
                return String.join(
                                " and ",
                                same.stream()
                                        .map(read -> names.of(read.transaction))
                                        .toList())
                        + " read list " + list.key + " " + state + ", and then each appended to it";
            });
        }
    }

    private void addDependencies(ListVersions list) {
        int known = list.order.size();
        // For each length of a read, the position of the first committed element that the read misses.
        int[] missed = new int[known + 1];
        missed[known] = known;
        for (int place = known - 1; place >= 0; place--) {
            missed[place] = lists.committed(list.order.get(place)) ? place : missed[place + 1];
        }
        Element before = null;
        for (int place = missed[0]; place < known; place = missed[place + 1]) {
            Element element = list.order.get(place);
            if (before != null) {
                graph.add(Kind.WW, nodeOf[before.writer], nodeOf[element.writer], list.number, place);
            }
            before = element;
        }
        for (int place = 0; before != null && place < list.unread.size(); place++) {
            graph.add(
                    Kind.WW, nodeOf[before.writer], nodeOf[list.unread.get(place).writer], list.number, known + place);
        }
        long pairs = 0;
        for (Read read : list.reads) {
            if (read.transaction == ListVersions.FINAL_READ || read.length < 0) {
                continue;
            }
            int reader = nodeOf[read.transaction];
            if (read.length > 0) {
                Element last = list.order.get(read.length - 1);
                if (last.writer == read.transaction) {
                    // The append of the transaction gives the same dependencies.
                    continue;
                }
                if (lists.committed(last)) {
                    graph.add(Kind.WR, nodeOf[last.writer], reader, list.number, read.length - 1);
                }
            }
            int place = missed[read.length];
            if (place < known) {
                graph.add(Kind.RW, reader, nodeOf[list.order.get(place).writer], list.number, place);
                continue;
            }
            pairs += list.unread.size();
            if (pairs > MAX_PAIRS) {
                truncated = true;
                continue;
            }
            for (int later = 0; later < list.unread.size(); later++) {
                graph.add(Kind.RW, reader, nodeOf[list.unread.get(later).writer], list.number, known + later);
            }
        }
    }

    /**
     * Adds the real-time order without edges that follow from others. A transaction follows the transactions that
     * ended before it began, unless another of them began after that end. Their number is at most the number of
     * processes.
     */
    private void addRealTime() {
        int[] begins = IntStream.range(0, historyIndex.length)
                .boxed()
                .sorted(Comparator.comparingLong(this::begin))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] ends = IntStream.range(0, historyIndex.length)
                .filter(node -> history.get(historyIndex[node]).outcome() == Outcome.OK)
                .toArray();
        List<Integer> latest = new ArrayList<>();
        int ended = 0;
        for (int node : begins) {
            long begin = begin(node);
            for (; ended < ends.length && end(ends[ended]) < begin; ended++) {
                long since = begin(ends[ended]);
                latest.removeIf(earlier -> end(earlier) < since);
                latest.add(ends[ended]);
            }
            for (int earlier : latest) {
                graph.add(Kind.RT, earlier, node, 0, 0);
            }
        }
    }

    private long begin(int node) {
        return history.get(historyIndex[node]).begin();
    }

    private long end(int node) {
        return history.get(historyIndex[node]).end();
    }

    private void reportCycles(Components components, int kinds, AnomalyType type) {
        for (int component = 0; component < components.count(); component++) {
            if (components.size(component) < 2) {
                continue;
            }
            if (!anyReported(components, component)) {
                report(type, shortest(components, component, kinds));
            }
            markReported(components, component);
        }
    }

    private boolean anyReported(Components components, int component) {
        return Arrays.stream(components.members(component)).anyMatch(reported::get);
    }

    private void markReported(Components components, int component) {
        Arrays.stream(components.members(component)).forEach(reported::set);
    }

    private int[] shortest(Components components, int component, int kinds) {
        int[] members = components.members(component);
        int step = Math.max(1, members.length / MAX_STARTS);
        int[] best = new int[0];
        for (int start = 0; start < members.length; start += step) {
            int maxLength = best.length == 0 ? Integer.MAX_VALUE : best.length - 1;
            int[] cycle = graph.path(
                    members[start], members[start], kinds, maxLength, node -> components.of(node) == component);
            if (cycle != null) {
                best = cycle;
            }
        }
        return best;
    }

    /** Reports the cycles with reads that miss a write. */
    private void findMissedWrites(Components components, Components byReads) {
        BitSet used = new BitSet();
        for (int component = 0; component < components.count(); component++) {
            if (components.size(component) < 2) {
                continue;
            }
            if (!anyReported(components, component)
                    && !findReadSkew(components, component, byReads, used)
                    && !hasLostUpdate(components, component)
                    && !findLongFork(components.members(component))
                    && !findWriteSkew(components, component, used)) {
                int[] cycle = shortest(components, component, DATA);
                long missed = Arrays.stream(cycle)
                        .filter(edge -> graph.kind(edge) == Kind.RW)
                        .count();
                report(missed == 1 ? AnomalyType.G_SINGLE : AnomalyType.G2_ITEM, cycle);
            }
            markReported(components, component);
        }
    }

    private boolean hasLostUpdate(Components components, int component) {
        return Arrays.stream(components.members(component))
                .anyMatch(node -> Arrays.stream(graph.outgoing(node))
                        .anyMatch(edge -> isLostUpdate(edge) && components.of(graph.to(edge)) == component));
    }

    private boolean isLostUpdate(int edge) {
        if (graph.kind(edge) != Kind.RW) {
            return false;
        }
        Integer length = lostUpdates.get(new Update(graph.from(edge), graph.list(edge)));
        return length != null && length.equals(lostUpdates.get(new Update(graph.to(edge), graph.list(edge))));
    }

    /**
     * Finds cycles with one missed write: a path of writes and reads from the writer back to the reader. Components
     * of writes and reads are topologically ordered and approximately ordered by time. A path therefore exists only
     * for a write that took effect before the end of the reader, and the search visits only the transactions in
     * between.
     *
     * @param used the transactions of reported cycles, which are not used in other cycles
     */
    private boolean findReadSkew(Components components, int component, Components byReads, BitSet used) {
        boolean found = false;
        for (int reader : components.members(component)) {
            int earliest = byReads.of(reader);
            for (int edge : graph.outgoing(reader)) {
                int writer = graph.to(edge);
                if (graph.kind(edge) != Kind.RW
                        || components.of(writer) != component
                        || byReads.of(writer) < earliest
                        || used.get(reader)
                        || used.get(writer)
                        || isLostUpdate(edge)) {
                    continue;
                }
                if (graph.edgeVisits() > MAX_EDGE_VISITS) {
                    truncated = true;
                    return found;
                }
                IntPredicate between =
                        node -> components.of(node) == component && byReads.of(node) > earliest && !used.get(node);
                int[] back = graph.path(writer, reader, WRITES_AND_READS, Integer.MAX_VALUE, between);
                if (back != null) {
                    report(AnomalyType.G_SINGLE, cycle(edge, back), used);
                    found = true;
                }
            }
        }
        return found;
    }

    /**
     * Finds a cycle without adjacent anti-dependencies (edges to a missed write), which snapshot isolation excludes
     * (Cerone and Gotsman, 2018). It searches a graph with two states of each transaction: reached by an
     * anti-dependency, from where no other one continues, and reached otherwise.
     */
    private boolean findLongFork(int[] members) {
        Map<Integer, Integer> places = new HashMap<>();
        for (int place = 0; place < members.length; place++) {
            places.put(members[place], place);
        }
        DependencyGraph states = new DependencyGraph(2 * members.length);
        for (int place = 0; place < members.length; place++) {
            for (int edge : graph.outgoing(members[place])) {
                Kind kind = graph.kind(edge);
                Integer target = places.get(graph.to(edge));
                if (target == null || kind == Kind.RT) {
                    continue;
                }
                if (kind == Kind.RW) {
                    states.add(kind, 2 * place, 2 * target + 1, 0, edge);
                } else {
                    states.add(kind, 2 * place, 2 * target, 0, edge);
                    states.add(kind, 2 * place + 1, 2 * target, 0, edge);
                }
            }
        }
        states.sort();
        Components cyclic = states.components(DATA);
        for (int component = 0; component < cyclic.count(); component++) {
            if (cyclic.size(component) > 1) {
                int within = component;
                int start = cyclic.members(component)[0];
                int[] cycle = Arrays.stream(Objects.requireNonNull(states.path(
                                start, start, DATA, Integer.MAX_VALUE, state -> cyclic.of(state) == within)))
                        .map(states::position)
                        .toArray();
                long missed = Arrays.stream(cycle)
                        .filter(edge -> graph.kind(edge) == Kind.RW)
                        .count();
                report(missed == 1 ? AnomalyType.G_SINGLE : AnomalyType.G_NONADJACENT, cycle);
                return true;
            }
        }
        return false;
    }

    /** Finds pairs of transactions that miss each other's writes, the most frequent kind of write skew. */
    private boolean findWriteSkew(Components components, int component, BitSet used) {
        boolean found = false;
        for (int one : components.members(component)) {
            for (int edge : graph.outgoing(one)) {
                int other = graph.to(edge);
                if (graph.kind(edge) != Kind.RW || used.get(one) || used.get(other)) {
                    continue;
                }
                int[] back = graph.path(other, one, Kind.RW.mask, 1, node -> false);
                if (back != null) {
                    report(AnomalyType.G2_ITEM, cycle(edge, back), used);
                    found = true;
                }
            }
        }
        return found;
    }

    private static int[] cycle(int edge, int[] back) {
        return IntStream.concat(IntStream.of(edge), Arrays.stream(back)).toArray();
    }

    private void report(AnomalyType type, int[] cycle, BitSet used) {
        Arrays.stream(cycle).forEach(edge -> used.set(graph.from(edge)));
        report(type, cycle);
    }

    private void report(AnomalyType type, int[] cycle) {
        List<Step> steps = steps(cycle);
        boolean realTime = false;
        List<Edge> edges = new ArrayList<>();
        for (Step step : steps) {
            edges.add(new Edge(step.kind, history.get(step.from), history.get(step.to), step.key, step.element));
            realTime |= step.kind == Kind.RT;
        }
        String end = realTime
                ? "; no serial order that agrees with real time explains this"
                : "; no serial order explains this";
        findings.add(
                type,
                edges,
                names -> String.join(
                                "; ",
                                steps.stream()
                                        .map(step -> sentence(step, names))
                                        .toList())
                        + end);
    }

    /** An edge of a cycle, with the indexes of its transactions in the history. */
    private record Step(Kind kind, int from, int to, long key, long element) {}

    /** Returns a cycle that starts at its first missed write, with adjacent real-time edges merged. */
    private List<Step> steps(int[] cycle) {
        int first = 0;
        for (int place = cycle.length - 1; place >= 0; place--) {
            Kind kind = graph.kind(cycle[place]);
            if (kind == Kind.RW || (kind != Kind.RT && graph.kind(cycle[first]) == Kind.RT)) {
                first = place;
            }
        }
        List<Step> steps = new ArrayList<>();
        for (int place = 0; place < cycle.length; place++) {
            int edge = cycle[(first + place) % cycle.length];
            int from = historyIndex[graph.from(edge)];
            int to = historyIndex[graph.to(edge)];
            if (graph.kind(edge) != Kind.RT) {
                ListVersions list = lists.all().get(graph.list(edge));
                long element = list.element(graph.position(edge)).value;
                steps.add(new Step(graph.kind(edge), from, to, list.key, element));
            } else if (steps.get(steps.size() - 1).kind == Kind.RT) {
                Step before = steps.remove(steps.size() - 1);
                steps.add(new Step(Kind.RT, before.from, to, 0, 0));
            } else {
                steps.add(new Step(Kind.RT, from, to, 0, 0));
            }
        }
        return steps;
    }

    private String sentence(Step step, Findings.Names names) {
        String from = names.of(step.from);
        String to = names.of(step.to);
        return switch (step.kind) {
            case WW -> from + " appended to list " + step.key + " before " + to + " appended " + step.element;
            case WR -> from + " appended " + step.element + " to list " + step.key + ", which " + to + " read";
            case RW -> from + " read list " + step.key + " without " + step.element + ", which " + to + " appended";
            case RT ->
                from + " ended "
                        + Findings.formatMs(history.get(step.to).begin()
                                - history.get(step.from).end())
                        + " ms before " + to + " began";
        };
    }
}

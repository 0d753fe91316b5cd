package io.movr.check;

import io.movr.check.Edge.Kind;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A graph of dependencies between transactions, numbered from 0. It uses arrays of primitives, because a history of
 * 300,000 transactions has millions of dependencies. {@link #sort} must be called after the last edge is added and
 * before the first search.
 */
final class DependencyGraph {

    private static final Kind[] KINDS = Kind.values();

    private final int nodes;
    private int edges;
    private int[] from = new int[1024];
    private int[] to = new int[1024];
    private byte[] mask = new byte[1024];
    private int[] list = new int[1024];
    private int[] position = new int[1024];

    /** The edges of node n are {@code outgoing[first[n]]} to {@code outgoing[first[n + 1] - 1]}. */
    private int[] first = new int[0];

    private int[] outgoing = new int[0];

    private int[] visitedInSearch = new int[0];
    private int[] reachedBy = new int[0];
    private int[] queue = new int[0];
    private int searches;
    private long edgeVisits;

    DependencyGraph(int nodes) {
        this.nodes = nodes;
    }

    /** Adds an edge, unless source and target are the same node. */
    void add(Kind kind, int source, int target, int listNumber, int listPosition) {
        if (source == target) {
            return;
        }
        if (edges == from.length) {
            int capacity = Math.multiplyExact(edges, 2);
            from = Arrays.copyOf(from, capacity);
            to = Arrays.copyOf(to, capacity);
            mask = Arrays.copyOf(mask, capacity);
            list = Arrays.copyOf(list, capacity);
            position = Arrays.copyOf(position, capacity);
        }
        from[edges] = source;
        to[edges] = target;
        mask[edges] = (byte) kind.mask;
        list[edges] = listNumber;
        position[edges] = listPosition;
        edges++;
    }

    void sort() {
        first = new int[nodes + 1];
        for (int edge = 0; edge < edges; edge++) {
            first[from[edge] + 1]++;
        }
        for (int node = 0; node < nodes; node++) {
            first[node + 1] += first[node];
        }
        int[] next = Arrays.copyOf(first, nodes);
        outgoing = new int[edges];
        for (int edge = 0; edge < edges; edge++) {
            outgoing[next[from[edge]]++] = edge;
        }
        visitedInSearch = new int[nodes];
        reachedBy = new int[nodes];
        queue = new int[nodes];
    }

    Kind kind(int edge) {
        for (Kind kind : KINDS) {
            if (kind.mask == mask[edge]) {
                return kind;
            }
        }
        throw new IllegalStateException("an edge has no kind");
    }

    int from(int edge) {
        return from[edge];
    }

    int to(int edge) {
        return to[edge];
    }

    /** Returns the number of the list that causes the edge. */
    int list(int edge) {
        return list[edge];
    }

    /** Returns the position of the element in the order of its list. */
    int position(int edge) {
        return position[edge];
    }

    /** Returns the edges that start at a node. */
    int[] outgoing(int node) {
        return Arrays.copyOfRange(outgoing, first[node], first[node + 1]);
    }

    /** Returns the number of edges that all searches have visited. */
    long edgeVisits() {
        return edgeVisits;
    }

    /**
     * Returns the strongly connected components for some kinds of edges, by Tarjan's algorithm without recursion.
     * Descending component numbers are a topological order. Nodes are visited from the last to the first, so that
     * components follow the order of nodes where no edge contradicts it.
     */
    Components components(int kinds) {
        int[] component = new int[nodes];
        int[] order = new int[nodes];
        int[] low = new int[nodes];
        int[] place = new int[nodes];
        int[] open = new int[nodes];
        int[] path = new int[nodes];
        Arrays.fill(component, -1);
        int opened = 0;
        int visited = 0;
        int found = 0;
        for (int root = nodes - 1; root >= 0; root--) {
            if (order[root] != 0) {
                continue;
            }
            int depth = 0;
            path[0] = root;
            order[root] = low[root] = ++visited;
            place[root] = first[root];
            open[opened++] = root;
            while (depth >= 0) {
                int node = path[depth];
                if (place[node] < first[node + 1]) {
                    int edge = outgoing[place[node]++];
                    if ((mask[edge] & kinds) == 0) {
                        continue;
                    }
                    int target = to[edge];
                    if (order[target] == 0) {
                        order[target] = low[target] = ++visited;
                        place[target] = first[target];
                        open[opened++] = target;
                        path[++depth] = target;
                    } else if (component[target] < 0) {
                        low[node] = Math.min(low[node], order[target]);
                    }
                    continue;
                }
                if (low[node] == order[node]) {
                    int member;
                    do {
                        member = open[--opened];
                        component[member] = found;
                    } while (member != node);
                    found++;
                }
                depth--;
                if (depth >= 0) {
                    low[path[depth]] = Math.min(low[path[depth]], low[node]);
                }
            }
        }
        return new Components(component, found);
    }

    /**
     * Returns a shortest path between two nodes, or a shortest cycle if they are the same.
     *
     * @param kinds the mask of the kinds of edges to follow
     * @param maxLength the maximum number of edges
     * @param within selects the inner nodes of the path
     * @return its edges; {@code null} if there is no such path
     */
    int @Nullable [] path(int source, int target, int kinds, int maxLength, IntPredicate within) {
        searches++;
        int head = 0;
        int tail = 0;
        int levelEnd = 1;
        int length = 1;
        queue[tail++] = source;
        while (head < tail && length <= maxLength) {
            int node = queue[head++];
            for (int place = first[node]; place < first[node + 1]; place++) {
                edgeVisits++;
                int edge = outgoing[place];
                if ((mask[edge] & kinds) == 0) {
                    continue;
                }
                int reached = to[edge];
                if (reached == target) {
                    return pathTo(source, edge, length);
                }
                if (reached != source && visitedInSearch[reached] != searches && within.test(reached)) {
                    visitedInSearch[reached] = searches;
                    reachedBy[reached] = edge;
                    queue[tail++] = reached;
                }
            }
            if (head == levelEnd) {
                levelEnd = tail;
                length++;
            }
        }
        return null;
    }

    private int[] pathTo(int source, int last, int length) {
        int[] path = new int[length];
        int edge = last;
        for (int place = length - 1; place > 0; place--) {
            path[place] = edge;
            edge = reachedBy[from[edge]];
        }
        path[0] = edge;
        if (from[edge] != source) {
            throw new IllegalStateException("the path does not begin at its source");
        }
        return path;
    }

    /** Strongly connected components, numbered from 0. */
    static final class Components {

        private final int[] componentOf;

        /** The members of component c are {@code members[first[c]]} to {@code members[first[c + 1] - 1]}. */
        private final int[] first;

        private final int[] members;

        private Components(int[] componentOf, int count) {
            this.componentOf = componentOf;
            first = new int[count + 1];
            for (int component : componentOf) {
                first[component + 1]++;
            }
            for (int component = 0; component < count; component++) {
                first[component + 1] += first[component];
            }
            int[] next = Arrays.copyOf(first, count);
            members = new int[componentOf.length];
            for (int node = 0; node < componentOf.length; node++) {
                members[next[componentOf[node]]++] = node;
            }
        }

        int count() {
            return first.length - 1;
        }

        /** Returns the component of a node. */
        int of(int node) {
            return componentOf[node];
        }

        int size(int component) {
            return first[component + 1] - first[component];
        }

        /** Returns the nodes of a component in ascending order. */
        int[] members(int component) {
            return Arrays.copyOfRange(members, first[component], first[component + 1]);
        }
    }
}

package io.movr.check;

import io.movr.check.MicroOp.Kind;
import io.movr.check.Transaction.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The reconstruction of the elements of {@link ServiceLists} and their order, from rides and from counts of uses. */
final class ElementOrders {

    private ElementOrders() {}

    /** Returns whether the elements of a list are rides; otherwise they are uses of a promo code. */
    static boolean isRideList(long key) {
        return key % 2 == 0;
    }

    /**
     * Returns the ended rides in the order of the vehicle; rides that are not connected to the first address come
     * last.
     */
    static List<Long> rides(JsonNode latestFirst, String firstAddress) {
        Map<String, List<String>> next = new HashMap<>();
        List<String> ended = new ArrayList<>();
        for (int place = latestFirst.size() - 1; place >= 0; place--) {
            String end = latestFirst.path(place).path("end_address").asString("");
            if (!end.isEmpty()) {
                next.computeIfAbsent(
                                latestFirst.path(place).path("start_address").asString(""), from -> new ArrayList<>())
                        .add(end);
                ended.add(end);
            }
        }
        List<Long> order = new ArrayList<>();
        Set<String> visited = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(firstAddress));
        while (!open.isEmpty()) {
            List<String> followers = next.getOrDefault(open.remove(), List.of());
            for (String end : followers) {
                order.add(Long.valueOf(end));
                if (visited.add(end)) {
                    open.add(end);
                }
            }
        }
        ended.stream().filter(end -> !visited.contains(end)).forEach(end -> order.add(Long.valueOf(end)));
        return order;
    }

    /**
     * Replaces counts of uses by elements. The element at a position is the use that was acknowledged with that
     * count. A position without an acknowledged use gets the earliest use of unknown outcome that is left, or else an
     * unknown element.
     *
     * @param lists the final lists, in which counts are replaced by elements, too
     */
    static List<Transaction> resolved(List<Transaction> history, Map<Long, List<Long>> lists) {
        Map<Long, Map<Integer, Long>> places = new HashMap<>();
        Map<Long, Deque<Long>> unknown = new HashMap<>();
        for (Transaction one : history) {
            MicroOp first = one.operations().get(0);
            if (isRideList(first.key()) || first.kind() != Kind.APPEND) {
                continue;
            }
            if (one.outcome() == Outcome.OK) {
                places.computeIfAbsent(first.key(), key -> new HashMap<>())
                        .putIfAbsent(count(one.operations().get(1)), first.value());
            } else if (one.outcome() == Outcome.INFO) {
                unknown.computeIfAbsent(first.key(), key -> new ArrayDeque<>()).add(first.value());
            }
        }
        Map<Long, Integer> longest = new HashMap<>();
        lists.forEach((key, read) -> {
            if (!isRideList(key)) {
                longest.merge(key, Math.toIntExact(read.get(0)), Math::max);
            }
        });
        history.stream()
                .flatMap(one -> one.operations().stream())
                .filter(step -> !isRideList(step.key()) && step.read() != null)
                .forEach(step -> longest.merge(step.key(), count(step), Math::max));
        Map<Long, List<Long>> orders = new HashMap<>();
        longest.forEach((key, length) -> {
            Map<Integer, Long> known = places.getOrDefault(key, Map.of());
            Deque<Long> rest = unknown.getOrDefault(key, new ArrayDeque<>());
            List<Long> order = new ArrayList<>();
            for (int place = 1; place <= length; place++) {
                Long value = known.get(place);
                order.add(value != null ? value : rest.isEmpty() ? Long.valueOf(-place) : rest.remove());
            }
            orders.put(key, order);
        });
        lists.replaceAll((key, read) -> isRideList(key)
                ? read
                : List.copyOf(orders.getOrDefault(key, List.of()).subList(0, Math.toIntExact(read.get(0)))));
        return history.stream().map(one -> resolved(one, orders)).toList();
    }

    private static Transaction resolved(Transaction one, Map<Long, List<Long>> orders) {
        List<MicroOp> steps = new ArrayList<>();
        Long own = null;
        for (MicroOp step : one.operations()) {
            if (isRideList(step.key()) || step.read() == null) {
                own = step.kind() == Kind.APPEND ? Long.valueOf(step.value()) : null;
                steps.add(step);
                continue;
            }
            List<Long> read =
                    new ArrayList<>(orders.getOrDefault(step.key(), List.of()).subList(0, count(step)));
            if (own != null && !read.isEmpty()) {
                // If two uses were acknowledged with the same count, each transaction reads its own element there.
                read.set(read.size() - 1, own);
            }
            steps.add(MicroOp.read(step.key(), read));
        }
        return new Transaction(one.index(), one.process(), one.outcome(), steps, one.begin(), one.end());
    }

    private static int count(MicroOp step) {
        List<Long> read = step.read();
        if (read == null) {
            throw new IllegalArgumentException(step + " has no count");
        }
        return Math.toIntExact(read.get(0));
    }
}

package io.movr.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Draws transactions that append to lists and read them. A few lists are in use at a time, so that transactions meet; one
 * that has had its number of elements gives way to a new one, so that reads stay short. Safe for use by several threads.
 */
final class AppendGenerator {

    /**
     * What is drawn.
     *
     * @param lists in use at a time, at least 1
     * @param elements that a list gets before a new one takes its place, at least 1
     * @param operations of a transaction at most, at least 1
     */
    public record Shape(int lists, int elements, int operations) {

        public Shape {
            if (lists < 1 || elements < 1 || operations < 1) {
                throw new IllegalArgumentException("Lists, elements and operations are at least 1: " + lists + ", "
                        + elements + ", " + operations);
            }
        }
    }

    private final Shape shape;
    private final SplittableRandom random;
    private final List<Long> inUse = new ArrayList<>();
    private final Map<Long, Long> appended = new HashMap<>();
    private long next;

    /** A generator whose sequence of transactions is decided by the seed. */
    public AppendGenerator(Shape shape, long seed) {
        this.shape = shape;
        this.random = new SplittableRandom(seed);
        while (inUse.size() < shape.lists()) {
            inUse.add(next++);
        }
    }

    /** The steps of the next transaction; reads have no answers yet. */
    public synchronized List<MicroOp> next() {
        int count = 1 + random.nextInt(shape.operations());
        List<MicroOp> operations = new ArrayList<>(count);
        for (int step = 0; step < count; step++) {
            int place = random.nextInt(shape.lists());
            long key = inUse.get(place);
            if (random.nextBoolean()) {
                operations.add(MicroOp.read(key, null));
                continue;
            }
            long value = appended.merge(key, 1L, Long::sum);
            operations.add(MicroOp.append(key, value));
            if (value == shape.elements()) {
                appended.remove(key);
                inUse.set(place, next++);
            }
        }
        return operations;
    }
}

package io.movr.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A generator of random transactions that append to lists and read them. Only a few lists are in use at a time, so
 * that transactions conflict. A list that has reached its number of elements is replaced by a new one, so that reads
 * stay short. Instances are thread-safe.
 */
final class AppendGenerator {

    /**
     * The size of lists and transactions.
     *
     * @param lists the number of lists in use at a time, at least 1
     * @param elements the number of elements after which a list is replaced, at least 1
     * @param operations the maximum number of operations of a transaction, at least 1
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

    /** Creates a generator. The seed determines the sequence of transactions. */
    public AppendGenerator(Shape shape, long seed) {
        this.shape = shape;
        this.random = new SplittableRandom(seed);
        while (inUse.size() < shape.lists()) {
            inUse.add(next++);
        }
    }

    /** Returns the steps of the next transaction; its reads have no results yet. */
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

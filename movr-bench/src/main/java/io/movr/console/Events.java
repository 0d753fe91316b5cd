package io.movr.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the console has seen: each event is an object of JSON with {@code type} and {@code t}, milliseconds since 1970. Those
 * of the last minutes are kept for pages that are opened later.
 */
final class Events {

    /** Ticks that a page which is opened gets: five minutes of them. */
    private static final int TICKS = 300;

    private static final int MAX_PAGES = 20;
    private static final int ORDERS = 200;
    private static final int MOST_WAITING = 200;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Deque<String> ticks = new ArrayDeque<>();
    private final Deque<String> orders = new ArrayDeque<>();
    /** Of all other types the last one. */
    private final Map<String, String> last = new LinkedHashMap<>();

    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Consumer<String> recorder;

    /** @param recorder is given every event */
    Events(Consumer<String> recorder) {
        this.recorder = recorder;
    }

    /** Of one page: what it has not been sent yet. */
    final class Subscription implements AutoCloseable {

        private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
        private volatile boolean lost;

        /**
         * The next event; {@code null} if there is none for a while.
         *
         * @throws IllegalStateException if the page did not take events fast enough and has to begin again
         */
        @Nullable
        String next(long millis) throws InterruptedException {
            if (lost) {
                throw new IllegalStateException("The page is too slow");
            }
            return waiting.poll(millis, TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() {
            subscriptions.remove(this);
        }
    }

    /**
     * Begins with what was seen before, as one event of the type {@code history} that holds all of them; {@code null} if as many
     * pages are open as may be.
     */
    synchronized @Nullable Subscription subscribe() {
        if (subscriptions.size() >= MAX_PAGES) {
            return null;
        }
        Subscription subscription = new Subscription();
        List<String> all = new ArrayList<>(last.values());
        all.addAll(orders);
        all.addAll(ticks);
        subscription.waiting.add("{\"type\":\"history\",\"events\":[" + String.join(",", all) + "]}");
        subscriptions.add(subscription);
        return subscription;
    }

    /** Publishes what has a type and a time; of orders and ticks several are kept, of everything else the last one. */
    synchronized void publish(String type, Map<String, ?> content) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("t", System.currentTimeMillis());
        event.putAll(content);
        String json = JSON.writeValueAsString(event);
        switch (type) {
            case "tick" -> keep(ticks, json, TICKS);
            case "order" -> keep(orders, json, ORDERS);
            default -> last.put(type, json);
        }
        recorder.accept(json);
        for (Subscription subscription : subscriptions) {
            if (!subscription.waiting.offer(json)) {
                subscription.lost = true;
            }
        }
    }

    private static void keep(Deque<String> all, String json, int most) {
        all.add(json);
        if (all.size() > most) {
            all.remove();
        }
    }
}

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
 * The events of running regions. Each event is a JSON object with {@code type} and {@code t}, in milliseconds since
 * 1970. The events of the last minutes are kept for pages that are opened later.
 */
final class Events implements AutoCloseable {

    /** The number of kept ticks: five minutes. */
    private static final int TICKS = 300;

    private static final int MAX_PAGES = 20;
    private static final int MAX_COMMANDS = 200;
    private static final int MAX_WAITING = 200;
    private static final String END = "";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Deque<String> ticks = new ArrayDeque<>();
    private final Deque<String> commands = new ArrayDeque<>();
    /** The last event of each type other than ticks and commands. */
    private final Map<String, String> last = new LinkedHashMap<>();

    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final Consumer<String> recorder;
    private boolean closed;

    /** @param recorder receives every event */
    Events(Consumer<String> recorder) {
        this.recorder = recorder;
    }

    /** The events that are not sent to one page yet. */
    final class Subscription implements AutoCloseable {

        private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
        private volatile boolean lost;

        /**
         * Returns the next event; {@code null} if there is none within a time.
         *
         * @throws IllegalStateException if the events have ended, or the page received events too slowly and must
         *     subscribe again
         */
        @Nullable
        String next(long millis) throws InterruptedException {
            String event = lost ? END : waiting.poll(millis, TimeUnit.MILLISECONDS);
            if (END.equals(event)) {
                throw new IllegalStateException("There are no more events for this page");
            }
            return event;
        }

        private void end() {
            lost = true;
            // The marker wakes up a waiting page.
            waiting.clear();
            waiting.add(END);
        }

        @Override
        public void close() {
            subscriptions.remove(this);
        }
    }

    /**
     * Subscribes a page. Its first event has the type {@code history} and contains the earlier events.
     *
     * @return {@code null} if too many pages are open
     */
    synchronized @Nullable Subscription subscribe() {
        if (closed || subscriptions.size() >= MAX_PAGES) {
            return null;
        }
        Subscription subscription = new Subscription();
        List<String> all = new ArrayList<>(last.values());
        all.addAll(commands);
        all.addAll(ticks);
        subscription.waiting.add("{\"type\":\"history\",\"events\":[" + String.join(",", all) + "]}");
        subscriptions.add(subscription);
        return subscription;
    }

    /** Publishes an event. The last commands and ticks are kept, and the last event of each other type. */
    synchronized void publish(String type, Map<String, ?> content) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        event.put("t", System.currentTimeMillis());
        event.putAll(content);
        String json = JSON.writeValueAsString(event);
        switch (type) {
            case "tick" -> keep(ticks, json, TICKS);
            case "command" -> keep(commands, json, MAX_COMMANDS);
            default -> last.put(type, json);
        }
        recorder.accept(json);
        for (Subscription subscription : subscriptions) {
            if (!subscription.waiting.offer(json)) {
                subscription.lost = true;
            }
        }
    }

    /** Ends all subscriptions, so that the server can stop without waiting for pages. */
    @Override
    public synchronized void close() {
        closed = true;
        subscriptions.forEach(Subscription::end);
    }

    private static void keep(Deque<String> all, String json, int max) {
        all.add(json);
        if (all.size() > max) {
            all.remove();
        }
    }
}

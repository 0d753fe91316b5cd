package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * TCP relays that simulate a wide-area network on one machine. Each relay delays bytes and keeps their order. It needs no
 * privileges and no kernel module, works in containers, and can be cut and mended.
 *
 * <p>One thread serves all of them. It is at most about a millisecond late, more when the machine is busy.
 */
public final class Links implements AutoCloseable {

    /** The bytes in flight in one direction of a connection before its sender must wait. */
    private static final int MAX_BYTES_IN_FLIGHT = 4 << 20;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final long MILLISECOND = 1_000_000;
    private static final long NAP_NANOS = 100_000;
    private static final Pattern LINK = Pattern.compile("(\\d{1,5})=(.+):(\\d{1,5})@(\\d+(?:\\.\\d+)?)ms");

    private final Selector selector;
    private final Thread thread = new Thread(this::serve, "links");
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ExecutorService resolver = Executors.newSingleThreadExecutor(task -> {
        Thread looksUp = new Thread(task, "links-resolver");
        looksUp.setDaemon(true);
        return looksUp;
    });
    private final PriorityQueue<Pipe> waiting = new PriorityQueue<>(Comparator.comparingLong(Pipe::due));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Set<Link> links = new HashSet<>();
    private volatile boolean closed;

    /** Creates an instance without any link. */
    public Links() {
        try {
            selector = Selector.open();
        } catch (IOException failed) {
            throw new UserError("Cannot open a network link (" + UserError.firstLine(failed) + ")", failed);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Relays until the process is ended, for a container: {@code java io.movr.database.Links 21001=node:26257@33ms …} listens on
     * port 21001 of every address, and what it passes to the node and back takes 33 ms each way.
     */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            Links links = new Links();
            for (String argument : arguments) {
                Matcher link = LINK.matcher(argument);
                if (!link.matches()) {
                    throw new UserError("'" + argument + "' is no link: write PORT=HOST:PORT@33ms");
                }
                links.open(
                        new InetSocketAddress(Integer.parseInt(link.group(1))),
                        link.group(2),
                        Integer.parseInt(link.group(3)),
                        Duration.ofNanos(Math.round(Double.parseDouble(link.group(4)) * MILLISECOND)));
            }
            System.out.println(arguments.length + " links are open");
            links.thread.join();
            System.err.println("links: they have ended");
        } catch (UserError refused) {
            System.err.println("links: " + refused.getMessage());
        }
        System.exit(1);
    }

    /**
     * Opens a link at a port of the loopback address.
     *
     * @param port 0 for any that is free
     * @param oneWay how long what passes takes, in each direction: half a round trip
     */
    public Link open(int port, String host, int targetPort, Duration oneWay) {
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), host, targetPort, oneWay);
    }

    private Link open(InetSocketAddress at, String host, int targetPort, Duration oneWay) {
        try {
            ServerSocketChannel entrance = ServerSocketChannel.open();
            entrance.bind(at, 512);
            entrance.configureBlocking(false);
            Link link = new Link(entrance, host, targetPort, oneWay);
            run(() -> {
                links.add(link);
                link.key = register(entrance, SelectionKey.OP_ACCEPT, link);
            });
            return link;
        } catch (IOException failed) {
            throw new UserError("Cannot listen on " + at + " (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a task on the serving thread, and waits for it. */
    private void run(Runnable task) {
        FutureTask<Void> done = new FutureTask<>(task, null);
        later(done);
        while (!closed) {
            try {
                done.get(100, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException notYet) {
                if (!thread.isAlive()) {
                    throw new IllegalStateException("The links have ended", notYet);
                }
            } catch (ExecutionException failed) {
                throw new IllegalStateException(failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void later(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    private SelectionKey register(SelectableChannel channel, int operations, Object attached) {
        try {
            return channel.register(selector, operations, attached);
        } catch (IOException closedBefore) {
            throw new IllegalStateException(closedBefore);
        }
    }

    private void serve() {
        try {
            while (!closed) {
                await();
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
                long now = System.nanoTime();
                for (Pipe first = waiting.peek(); first != null && first.due() - now <= 0; first = waiting.peek()) {
                    waiting.remove().deliver(now);
                }
            }
        } catch (IOException failed) {
            throw new IllegalStateException("The links ended", failed);
        } finally {
            resolver.shutdownNow();
            links.forEach(Link::closeAll);
            quietly(selector);
        }
    }

    /** Until something can be read or written, or is due. */
    private void await() throws IOException {
        Pipe first = waiting.peek();
        if (first == null) {
            selector.select(1_000);
            return;
        }
        long left = first.due() - System.nanoTime();
        if (left >= 2 * MILLISECOND) {
            // It sleeps for whole milliseconds and wakes up late rather than early.
            selector.select(left / MILLISECOND - 1);
        } else {
            if (left > 0) {
                LockSupport.parkNanos(Math.min(left, NAP_NANOS));
            }
            selector.selectNow();
        }
    }

    private void serve(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                ((Link) key.attachment()).accept();
                return;
            }
            End end = (End) key.attachment();
            if (key.isConnectable()) {
                end.connected();
            }
            if (key.isValid() && key.isReadable()) {
                end.outgoing().read();
            }
            if (key.isValid() && key.isWritable()) {
                end.incoming().deliver(System.nanoTime());
            }
        } catch (IOException | RuntimeException broken) {
            // Also a key that was cancelled while another one was served. One connection must not take others with it.
            if (key.attachment() instanceof End end) {
                end.connection.broke(end);
            } else {
                // Too many files are open, as a rule; the caller waits in the kernel.
                LockSupport.parkNanos(10 * MILLISECOND);
            }
        }
    }

    /** A port that leads to a server, with a delay. */
    public final class Link {

        private final ServerSocketChannel entrance;
        private final String host;
        private volatile int targetPort;
        private final Set<Connection> connections = new HashSet<>();
        private @Nullable SelectionKey key;
        private volatile long oneWayNanos;
        private volatile boolean cut;
        private final AtomicLong roundTrips = new AtomicLong();
        private volatile @Nullable Supplier<Consumer<ByteBuffer>> requests;

        private Link(ServerSocketChannel entrance, String host, int targetPort, Duration oneWay) {
            this.entrance = entrance;
            this.host = host;
            this.targetPort = targetPort;
            this.oneWayNanos = oneWay.toNanos();
        }

        /** Returns the port at which it listens. */
        public int port() {
            return entrance.socket().getLocalPort();
        }

        /**
         * Returns how often callers have waited for an answer so far: an answer, or several in a row, after a request, or
         * several in a row. What a caller sends before the first answer has travelled back to it belongs to the same round
         * trip.
         */
        public long roundTrips() {
            return roundTrips.get();
        }

        /**
         * Observes the requests of callers that connect from now on.
         *
         * @param observers makes the receiver of a connection's bytes in the direction of the server
         */
        public void observeRequests(Supplier<Consumer<ByteBuffer>> observers) {
            requests = observers;
        }

        /** Sets how long what passes from now on takes, in each direction. */
        public void delay(Duration oneWay) {
            oneWayNanos = oneWay.toNanos();
        }

        /**
         * Redirects to another port of the same machine. Existing connections are broken, so that clients reconnect.
         */
        public void redirect(int port, Duration oneWay) {
            targetPort = port;
            delay(oneWay);
            reset();
        }

        /** Stops all traffic without an error: existing connections hang, new ones are not answered. */
        public void cut() {
            run(() -> {
                cut = true;
                update();
            });
        }

        /** Resumes all traffic, and delivers the bytes that waited. */
        public void mend() {
            run(() -> {
                cut = false;
                update();
            });
        }

        private void update() {
            // While it is cut callers wait in the kernel, which answers nothing but that they are connected.
            Objects.requireNonNull(key).interestOps(cut ? 0 : SelectionKey.OP_ACCEPT);
            connections.forEach(Connection::update);
        }

        /** Breaks every existing connection, as a restarted router does. */
        public void reset() {
            run(() -> List.copyOf(connections).forEach(Connection::close));
        }

        private void accept() throws IOException {
            SocketChannel caller = entrance.accept();
            if (caller == null) {
                return;
            }
            caller.configureBlocking(false);
            caller.setOption(StandardSocketOptions.TCP_NODELAY, true);
            // Names are looked up anew each time, because a container that is started again has another address; and by
            // another thread, because that may take long.
            resolver.execute(() -> {
                InetSocketAddress target = new InetSocketAddress(host, targetPort);
                later(() -> begin(caller, target));
            });
        }

        private void begin(SocketChannel caller, InetSocketAddress target) {
            if (target.isUnresolved()) {
                quietly(caller);
                return;
            }
            SocketChannel server;
            try {
                server = SocketChannel.open();
                server.configureBlocking(false);
                server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            } catch (IOException failed) {
                quietly(caller);
                return;
            }
            Connection connection = new Connection(this, caller, server);
            connections.add(connection);
            try {
                if (server.connect(target)) {
                    connection.server.connected();
                }
            } catch (IOException unreachable) {
                connection.broke(connection.server);
            }
        }

        private void closeAll() {
            List.copyOf(connections).forEach(Connection::close);
            quietly(entrance);
        }
    }

    /** The two ends of a relayed connection, and the bytes in flight between them. */
    private final class Connection {

        private final Link link;
        private final End caller;
        private final End server;
        private final Pipe there;
        private final Pipe back;
        private final @Nullable Consumer<ByteBuffer> requests;
        private boolean asked;
        private boolean closed;

        Connection(Link link, SocketChannel caller, SocketChannel server) {
            this.link = link;
            Supplier<Consumer<ByteBuffer>> observers = link.requests;
            this.requests = observers == null ? null : observers.get();
            this.caller = new End(this, caller, 0);
            this.server = new End(this, server, SelectionKey.OP_CONNECT);
            there = new Pipe(this, this.caller, this.server);
            back = new Pipe(this, this.server, this.caller);
        }

        /** Updates the interest sets of its ends. */
        void update() {
            caller.update();
            server.update();
            there.schedule();
            back.schedule();
        }

        /** Breaks the other end, after the delay of the link. */
        void broke(End end) {
            quietly(end.channel);
            end.incoming().discard();
            if (closed || !end.other().channel.isOpen()) {
                close();
            } else {
                end.outgoing().reset();
            }
        }

        void close() {
            closed = true;
            link.connections.remove(this);
            waiting.remove(there);
            waiting.remove(back);
            quietly(caller.channel);
            quietly(server.channel);
        }

        void closeWhenDone() {
            if (there.isDone() && back.isDone()) {
                close();
            }
        }
    }

    /** One end of a connection. */
    private final class End {

        private final Connection connection;
        private final SocketChannel channel;
        private final SelectionKey key;
        private boolean open;

        End(Connection connection, SocketChannel channel, int operations) {
            this.connection = connection;
            this.channel = channel;
            this.key = register(channel, operations, this);
            this.open = operations == 0;
        }

        void connected() throws IOException {
            if (!open && channel.finishConnect()) {
                open = true;
                connection.update();
            }
        }

        End other() {
            return this == connection.caller ? connection.server : connection.caller;
        }

        Pipe outgoing() {
            return this == connection.caller ? connection.there : connection.back;
        }

        Pipe incoming() {
            return this == connection.caller ? connection.back : connection.there;
        }

        void update() {
            if (!key.isValid() || !open) {
                return;
            }
            boolean reads = !connection.link.cut && outgoing().hasRoom();
            boolean writes = !connection.link.cut && incoming().isBlocked();
            key.interestOps((reads ? SelectionKey.OP_READ : 0) | (writes ? SelectionKey.OP_WRITE : 0));
        }
    }

    /** Bytes with the time of their arrival; an empty buffer means that the sender has closed its direction. */
    private record Piece(ByteBuffer bytes, long due) {}

    /** One direction of a connection. */
    private final class Pipe {

        private final Connection connection;
        private final End from;
        private final End to;
        private final Deque<Piece> pieces = new ArrayDeque<>();
        private long underWay;
        private boolean begun;
        private boolean ended;
        private boolean blocked;
        private boolean done;
        private boolean broken;
        private long resetDue;

        Pipe(Connection connection, End from, End to) {
            this.connection = connection;
            this.from = from;
            this.to = to;
        }

        long due() {
            return isDeliverable() ? pieces.getFirst().due() : resetDue;
        }

        private boolean isDeliverable() {
            return !pieces.isEmpty() && !blocked && to.open;
        }

        /** Has the receiver's end broken after what is under way, and without waiting until the receiver has taken that. */
        void reset() {
            ended = true;
            broken = true;
            // That a server refuses to be connected is known after a round trip.
            resetDue = notBefore(connection.link.oneWayNanos * (from.open ? 1 : 2));
            from.other().update();
            schedule();
        }

        /** Discards all bytes for a receiver that is gone. */
        void discard() {
            waiting.remove(this);
            ended = true;
            blocked = false;
            pieces.clear();
        }

        /**
         * Returns the arrival time of bytes sent now. They never overtake earlier bytes, even if the delay was shortened.
         */
        private long notBefore(long distance) {
            long due = System.nanoTime() + distance;
            return pieces.isEmpty() ? due : Math.max(due, pieces.getLast().due());
        }

        boolean hasRoom() {
            return !ended && underWay < MAX_BYTES_IN_FLIGHT;
        }

        boolean isBlocked() {
            return blocked;
        }

        boolean isDone() {
            return done;
        }

        void read() throws IOException {
            buffer.clear();
            int read = from.channel.read(buffer);
            if (read == 0) {
                return;
            }
            // Before a first byte can travel, a connection takes a round trip to be made.
            long distance = connection.link.oneWayNanos * (begun || from == connection.server ? 1 : 3);
            begun = true;
            connection.asked |= from == connection.caller && read > 0;
            long due = notBefore(distance);
            ended = read < 0;
            buffer.flip();
            if (connection.requests != null && from == connection.caller) {
                connection.requests.accept(buffer.asReadOnlyBuffer());
            }
            ByteBuffer bytes = ByteBuffer.allocate(ended ? 0 : read);
            bytes.put(ended ? ByteBuffer.allocate(0) : buffer).flip();
            underWay += bytes.remaining();
            boolean first = pieces.isEmpty();
            pieces.add(new Piece(bytes, due));
            if (first) {
                schedule();
            }
            from.update();
        }

        /** Schedules the next delivery, unless there are no bytes, no receiver, or the link is cut. */
        void schedule() {
            waiting.remove(this);
            if ((isDeliverable() || broken) && !connection.link.cut && to.channel.isOpen()) {
                waiting.add(this);
            }
        }

        void deliver(long now) {
            waiting.remove(this);
            try {
                blocked = false;
                while (to.open && !pieces.isEmpty() && pieces.getFirst().due() - now <= 0) {
                    ByteBuffer bytes = pieces.getFirst().bytes();
                    if (bytes.hasRemaining()) {
                        if (to == connection.caller && connection.asked) {
                            connection.asked = false;
                            connection.link.roundTrips.incrementAndGet();
                        }
                        underWay -= to.channel.write(bytes);
                        if (bytes.hasRemaining()) {
                            blocked = true;
                            break;
                        }
                    }
                    pieces.removeFirst();
                    if (bytes.capacity() == 0) {
                        to.channel.shutdownOutput();
                        done = true;
                    }
                }
                if (broken && resetDue - now <= 0) {
                    abort(to.channel);
                    connection.close();
                    return;
                }
                from.update();
                to.update();
                schedule();
                connection.closeWhenDone();
            } catch (IOException gone) {
                connection.broke(to);
            }
        }
    }

    /** Closes a channel with a TCP reset. */
    private static void abort(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException closed) {
            // It is gone already.
        }
        quietly(channel);
    }

    private static void quietly(@Nullable AutoCloseable channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (Exception broken) {
            // It is gone either way.
        }
    }
}

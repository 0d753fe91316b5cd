package io.movr.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The statements that clients have sent over PostgreSQL's protocol, in order. A client that has opened a TLS connection sends none
 * that can be read.
 */
final class SentStatements {

    private static final int MAX_STATEMENTS = 1_000;
    private static final int MAX_MESSAGE_BYTES = 64 * 1024;
    private static final int TYPED_HEADER = 5;
    private static final int STARTUP_HEADER = 4;
    private static final int MAX_STARTUP_BYTES = 10_000;
    private static final int PROTOCOL_3 = 3;

    private final List<String> sent = new ArrayList<>();

    /** Returns a reader of the bytes that one more client sends. */
    Consumer<ByteBuffer> ofAClient() {
        return new Client();
    }

    /** Forgets all statements. */
    synchronized void clear() {
        sent.clear();
    }

    /** Returns the statements since they were last cleared, the first {@value #MAX_STATEMENTS} of them. */
    synchronized List<String> list() {
        return List.copyOf(sent);
    }

    private synchronized void add(String statement) {
        if (sent.size() < MAX_STATEMENTS) {
            sent.add(statement.strip().replaceAll("\\s+", " "));
        }
    }

    /** The messages of a client: a start without types, then messages that begin with a type. */
    private final class Client implements Consumer<ByteBuffer> {

        private final Map<String, String> prepared = new HashMap<>();
        private final ByteArrayOutputStream header = new ByteArrayOutputStream();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int left;
        private boolean started;
        private boolean unreadable;

        @Override
        public void accept(ByteBuffer bytes) {
            while (bytes.hasRemaining() && !unreadable) {
                if (header.size() < headerSize()) {
                    header.write(bytes.get());
                    if (header.size() == headerSize()) {
                        begin();
                    }
                } else {
                    byte[] part = new byte[Math.min(left, bytes.remaining())];
                    bytes.get(part);
                    left -= part.length;
                    body.write(part, 0, Math.min(part.length, MAX_MESSAGE_BYTES - body.size()));
                    if (left == 0) {
                        end();
                    }
                }
            }
        }

        private int headerSize() {
            return started ? TYPED_HEADER : STARTUP_HEADER;
        }

        private void begin() {
            left = ByteBuffer.wrap(header.toByteArray()).getInt(headerSize() - Integer.BYTES) - Integer.BYTES;
            // After a request for TLS that was granted, the bytes of TLS follow.
            unreadable = left < 0 || (!started && left > MAX_STARTUP_BYTES);
            if (left == 0) {
                end();
            }
        }

        private void end() {
            ByteBuffer content = ByteBuffer.wrap(body.toByteArray());
            if (started) {
                message((char) header.toByteArray()[0], content);
            } else {
                started = content.remaining() >= Integer.BYTES && content.getInt() >> Short.SIZE == PROTOCOL_3;
            }
            header.reset();
            body.reset();
        }

        private void message(char type, ByteBuffer content) {
            switch (type) {
                case 'Q' -> add(text(content));
                case 'P' -> prepared.put(text(content), text(content));
                case 'B' -> {
                    text(content);
                    add(prepared.getOrDefault(text(content), "?"));
                }
                default -> {}
            }
        }

        private String text(ByteBuffer content) {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            while (content.hasRemaining()) {
                byte next = content.get();
                if (next == 0) {
                    break;
                }
                text.write(next);
            }
            return text.toString(StandardCharsets.UTF_8);
        }
    }
}

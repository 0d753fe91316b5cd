package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes histories in the JSON format of Jepsen's list-append tests, which elle-cli reads, too. Each transaction has a
 * line for its begin and a line for its end, in the order of time:
 *
 * <pre>{@code
 * {"index":0,"type":"invoke","process":0,"time":1000,"f":"txn","value":[["append",7,31],["r",7,null]]}
 * {"index":1,"type":"ok","process":0,"time":2000,"f":"txn","value":[["append",7,31],["r",7,[30,31]]]}
 * }</pre>
 *
 * {@code type} of the second line is {@code ok}, {@code fail} or {@code info}; {@code time} is in nanoseconds.
 */
final class Histories {

    private static final JsonMapper JSON = JsonMapper.builder()
            // One line is parsed at a time, and another follows.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Histories() {}

    /**
     * Writes a history. {@link Transaction#index} is not written, because a reader numbers the transactions by their
     * begins.
     *
     * @throws UserError if the file cannot be written
     */
    public static void write(List<Transaction> history, Path file) {
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(file))) {
            write(history, stream);
        } catch (IOException | JacksonIOException unwritable) {
            throw new UserError(
                    "Cannot write " + file + " (" + UserError.firstLine(unwritable)
                            + "): check the folder and its rights",
                    unwritable);
        }
    }

    private static void write(List<Transaction> history, OutputStream stream) {
        // Event 2n is the begin of the n-th transaction, and event 2n + 1 is its end.
        int[] events = IntStream.range(0, 2 * history.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer event) -> time(history, event))
                        .thenComparingLong(event -> history.get(event / 2).begin())
                        .thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        try (JsonGenerator json = JSON.writer().withRootValueSeparator("\n").createGenerator(stream)) {
            for (int line = 0; line < events.length; line++) {
                Transaction transaction = history.get(events[line] / 2);
                boolean begin = events[line] % 2 == 0;
                json.writeStartObject();
                json.writeNumberProperty("index", line);
                json.writeStringProperty(
                        "type", begin ? "invoke" : transaction.outcome().name().toLowerCase(Locale.ROOT));
                json.writeNumberProperty("process", transaction.process());
                json.writeNumberProperty("time", time(history, events[line]));
                json.writeStringProperty("f", "txn");
                json.writeArrayPropertyStart("value");
                for (MicroOp step : transaction.operations()) {
                    writeStep(json, step, begin);
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeRaw('\n');
        }
    }

    private static long time(List<Transaction> history, int event) {
        Transaction transaction = history.get(event / 2);
        return event % 2 == 0 ? transaction.begin() : transaction.end();
    }

    private static void writeStep(JsonGenerator json, MicroOp step, boolean begin) {
        json.writeStartArray();
        json.writeString(step.kind() == MicroOp.Kind.APPEND ? "append" : "r");
        json.writeNumber(step.key());
        if (step.kind() == MicroOp.Kind.APPEND) {
            json.writeNumber(step.value());
        } else if (begin || step.read() == null) {
            json.writeNull();
        } else {
            json.writeStartArray();
            for (long element : step.read()) {
                json.writeNumber(element);
            }
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    /**
     * Reads a history with one operation per line, or in an array. A transaction without an end has an unknown
     * outcome and ends with the history. Operations of a process that is not a number, such as Jepsen's
     * {@code nemesis}, are ignored.
     *
     * @return the transactions, numbered in the order of their begins
     * @throws UserError if the file cannot be read or is not such a history; the message names the line
     */
    public static List<Transaction> read(Path file) {
        return new Reader(file).read();
    }

    private static final class Reader {

        private static final String EXPECTED =
                "; name a history of list appends in Jepsen's format, one operation a line";

        private final Path file;
        private final List<Transaction> transactions = new ArrayList<>();

        /** The index in {@link #transactions} of the open transaction of each process. */
        private final Map<Integer, Integer> openTransactions = new HashMap<>();

        private int line;
        private boolean inOperation;
        private long latestTime;

        private Reader(Path file) {
            this.file = file;
        }

        private List<Transaction> read() {
            try (InputStream stream = new BufferedInputStream(Files.newInputStream(file));
                    JsonParser parser = JSON.createParser(stream)) {
                boolean array = false;
                for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                    line = parser.currentTokenLocation().getLineNr();
                    if (token == JsonToken.START_ARRAY && !array) {
                        array = true;
                    } else if (token != JsonToken.END_ARRAY) {
                        inOperation = true;
                        JsonNode operation = JSON.readTree(parser);
                        inOperation = false;
                        operation(operation);
                    }
                }
            } catch (IOException | JacksonIOException unreadable) {
                throw new UserError(
                        "Cannot read " + file + " (" + UserError.firstLine(unreadable)
                                + "): check the path and the rights",
                        unreadable);
            } catch (JacksonException malformed) {
                // The parser reports a truncated operation in the line after it.
                int where = inOperation ? line : malformed.getLocation().getLineNr();
                throw new UserError(
                        file + ", line " + where + ": the operation is not JSON, or ends too early" + EXPECTED,
                        malformed);
            }
            for (int place : openTransactions.values()) {
                end(place, Outcome.INFO, transactions.get(place).operations(), latestTime);
            }
            return List.copyOf(transactions);
        }

        private void operation(JsonNode operation) {
            require(operation.isObject(), "an operation must be an object such as {\"type\":\"ok\",…}");
            JsonNode process = operation.path("process");
            if (process.isString()) {
                return;
            }
            require(process.isInt(), "\"process\" must be a number");
            require(operation.path("f").asString("").equals("txn"), "\"f\" must be \"txn\"");
            long time = integer(operation.path("time"), "\"time\" must be a number of nanoseconds");
            latestTime = Math.max(latestTime, time);
            String type = operation.path("type").asString("");
            if (type.equals("invoke")) {
                int index = transactions.size();
                require(
                        openTransactions.put(process.intValue(), index) == null,
                        "process " + process + " begins a transaction before it ended the one before");
                List<MicroOp> steps = steps(operation.path("value"));
                transactions.add(new Transaction(index, process.intValue(), Outcome.INFO, steps, time, time));
                return;
            }
            Outcome outcome = switch (type) {
                case "ok" -> Outcome.OK;
                case "fail" -> Outcome.FAIL;
                case "info" -> Outcome.INFO;
                default -> throw malformed("\"type\" must be \"invoke\", \"ok\", \"fail\" or \"info\"");
            };
            Integer place = openTransactions.remove(process.intValue());
            if (place == null) {
                throw malformed("process " + process + " ends a transaction that it did not begin");
            }
            Transaction begin = transactions.get(place);
            require(time >= begin.begin(), "the transaction ends before it begins");
            JsonNode value = operation.path("value");
            if (outcome != Outcome.OK && !value.isArray()) {
                end(place, outcome, begin.operations(), time);
                return;
            }
            List<MicroOp> steps = steps(value);
            require(
                    steps.stream()
                            .map(Reader::withoutRead)
                            .toList()
                            .equals(begin.operations().stream()
                                    .map(Reader::withoutRead)
                                    .toList()),
                    "\"value\" must have the steps of the line that began the transaction");
            require(
                    outcome != Outcome.OK
                            || steps.stream()
                                    .allMatch(step -> step.kind() == MicroOp.Kind.APPEND || step.read() != null),
                    "a read of a transaction that is ok must have a list, such as [\"r\",7,[1,2]]");
            end(place, outcome, steps, time);
        }

        private void end(int place, Outcome outcome, List<MicroOp> steps, long time) {
            Transaction begin = transactions.get(place);
            transactions.set(
                    place, new Transaction(begin.index(), begin.process(), outcome, steps, begin.begin(), time));
        }

        /** Returns a step without the result of its read. */
        private static MicroOp withoutRead(MicroOp step) {
            return step.kind() == MicroOp.Kind.READ ? MicroOp.read(step.key(), null) : step;
        }

        private List<MicroOp> steps(JsonNode value) {
            require(value.isArray(), "\"value\" must be a list of steps");
            List<MicroOp> steps = new ArrayList<>();
            for (JsonNode step : value) {
                steps.add(step(step));
            }
            return steps;
        }

        private MicroOp step(JsonNode step) {
            String wrong =
                    "a step must be [\"append\",key,element], [\"r\",key,null] or [\"r\",key,[elements]], all of them"
                            + " whole numbers, and not " + step;
            require(step.isArray() && step.size() == 3, wrong);
            long key = integer(step.path(1), wrong);
            JsonNode third = step.path(2);
            String kind = step.path(0).asString("");
            if (kind.equals("append")) {
                return MicroOp.append(key, integer(third, wrong));
            }
            require(kind.equals("r"), wrong);
            if (third.isNull()) {
                return MicroOp.read(key, null);
            }
            require(third.isArray(), wrong);
            List<Long> elements = new ArrayList<>();
            for (JsonNode element : third) {
                elements.add(integer(element, wrong));
            }
            return MicroOp.read(key, elements);
        }

        private long integer(JsonNode node, String problem) {
            require(node.isIntegralNumber() && node.canConvertToLong(), problem);
            return node.longValue();
        }

        private void require(boolean condition, String problem) {
            if (!condition) {
                throw malformed(problem);
            }
        }

        private UserError malformed(String problem) {
            return new UserError(file + ", line " + line + ": " + problem + EXPECTED);
        }
    }
}

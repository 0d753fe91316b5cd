package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.check.SimulatedStore.Isolation;
import io.movr.check.Transaction.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HistoriesTest {

    private static final String INVOKE =
            "{\"index\":0,\"type\":\"invoke\",\"process\":0,\"time\":10,\"f\":\"txn\",\"value\":[[\"append\",7,31],[\"r\",7,null]]}";
    private static final String OK =
            "{\"index\":1,\"type\":\"ok\",\"process\":0,\"time\":20,\"f\":\"txn\",\"value\":[[\"append\",7,31],[\"r\",7,[30,31]]]}";

    @TempDir
    private Path folder;

    @Test
    void aHistoryIsWrittenAsJepsenDoes() throws IOException {
        Path file = folder.resolve("history.jsonl");

        Histories.write(
                List.of(
                        new Transaction(
                                0,
                                0,
                                Outcome.OK,
                                List.of(MicroOp.append(7, 31), MicroOp.read(7, List.of(30L, 31L))),
                                10,
                                20),
                        new Transaction(1, 1, Outcome.INFO, List.of(MicroOp.read(8, null)), 15, 30),
                        new Transaction(2, 0, Outcome.FAIL, List.of(MicroOp.append(7, 32)), 20, 20)),
                file);

        assertThat(file).content().isEqualTo(String.join("\n", INVOKE, """
                {"index":1,"type":"invoke","process":1,"time":15,"f":"txn","value":[["r",8,null]]}
                {"index":2,"type":"ok","process":0,"time":20,"f":"txn","value":[["append",7,31],["r",7,[30,31]]]}
                {"index":3,"type":"invoke","process":0,"time":20,"f":"txn","value":[["append",7,32]]}
                {"index":4,"type":"fail","process":0,"time":20,"f":"txn","value":[["append",7,32]]}
                {"index":5,"type":"info","process":1,"time":30,"f":"txn","value":[["r",8,null]]}
                """));
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void whatWasWrittenIsReadAgain(Isolation isolation) {
        List<Transaction> history = SimulatedStore.run(isolation, 1, 500, 5, 4).history();
        Path file = folder.resolve("history.jsonl");

        Histories.write(history, file);

        assertThat(Histories.read(file)).isEqualTo(history);
    }

    @Test
    void anArrayIsReadLikeLines() throws IOException {
        List<Transaction> expected = List.of(new Transaction(
                0, 0, Outcome.OK, List.of(MicroOp.append(7, 31), MicroOp.read(7, List.of(30L, 31L))), 10, 20));

        assertThat(read(INVOKE, OK)).isEqualTo(expected);
        assertThat(read("[" + INVOKE + ",", OK + "]")).isEqualTo(expected);
        assertThat(read()).isEmpty();
        assertThat(read("[]")).isEmpty();
    }

    @Test
    void aTransactionWithoutAnEndIsOfUnknownOutcomeUntilTheEndOfTheHistory() throws IOException {
        List<Transaction> history =
                read(INVOKE, INVOKE.replace("\"process\":0", "\"process\":1").replace("31", "32"), OK);

        assertThat(history).extracting(Transaction::outcome).containsExactly(Outcome.OK, Outcome.INFO);
        assertThat(history.get(1).operations()).containsExactly(MicroOp.append(7, 32), MicroOp.read(7, null));
        assertThat(history.get(1).end()).isEqualTo(20);
    }

    @Test
    void anEndWithoutAnswersKeepsTheStepsOfTheBegin() throws IOException {
        List<Transaction> history =
                read(INVOKE, "{\"type\":\"fail\",\"process\":0,\"time\":20,\"f\":\"txn\",\"value\":null}");

        assertThat(history).hasSize(1);
        assertThat(history.get(0).outcome()).isEqualTo(Outcome.FAIL);
        assertThat(history.get(0).operations()).containsExactly(MicroOp.append(7, 31), MicroOp.read(7, null));
    }

    @Test
    void operationsOfTheNemesisAreIgnored() throws IOException {
        assertThat(read(
                        "{\"type\":\"info\",\"process\":\"nemesis\",\"time\":1,\"f\":\"kill\",\"value\":null}",
                        INVOKE,
                        OK))
                .hasSize(1);
    }

    /** Each row replaces a text of the second line. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"process\":0 | \"process\":1 | process 1 ends a transaction that it did not begin",
                "\"process\":0 | \"process\":null | \"process\" must be a number",
                "\"ok\" | \"invoke\" | process 0 begins a transaction before it ended the one before",
                "\"ok\" | \"done\" | \"type\" must be",
                "\"txn\" | \"read\" | \"f\" must be \"txn\"",
                "\"time\":20 | \"time\":9 | the transaction ends before it begins",
                "\"time\":20 | \"time\":1.5 | \"time\" must be a number of nanoseconds",
                "\"time\":20 | \"date\":20 | \"time\" must be a number of nanoseconds",
                "[30,31] | null | a read of a transaction that is ok must have a list",
                "[30,31] | 30 | a step must be",
                "[30,31] | [30,\"31\"] | a step must be",
                "\"append\" | \"write\" | a step must be",
                "7,31] | 7,99999999999999999999] | a step must be",
                "7,31] | 7,32] | must have the steps of the line that began the transaction",
                "\"value\" | \"values\" | \"value\" must be a list of steps",
                "]]} | ] | the operation is not JSON, or ends too early",
                "{\"index\" | \"index\" | an operation must be an object",
            })
    void aBadLineIsNamed(String text, String other, String problem) {
        assertThat(OK).contains(text);
        assertThatThrownBy(() -> read(INVOKE, OK.replace(text, other)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("history.jsonl, line 2")
                .hasMessageContaining(problem)
                .hasMessageEndingWith("name a history of list appends in Jepsen's format, one operation a line");
    }

    @Test
    void aMissingFileIsAUserError() {
        assertThatThrownBy(() -> Histories.read(folder.resolve("none.jsonl")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Cannot read");
        assertThatThrownBy(() -> Histories.write(List.of(), folder.resolve("none/history.jsonl")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Cannot write");
    }

    private List<Transaction> read(String... lines) throws IOException {
        Path file = folder.resolve("history.jsonl");
        Files.write(file, List.of(lines));
        return Histories.read(file);
    }
}

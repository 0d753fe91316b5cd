package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node of CockroachDB is sent that fetches rows. */
class RowsForImportTest {

    private final Dataset dataset = new Dataset(Scale.TINY.spec(1));
    private final LoadProgress progress = new LoadProgress();
    private TableImport rows;

    @BeforeEach
    void serve() throws IOException {
        rows = new TableImport(dataset, progress);
    }

    @AfterEach
    void close() {
        rows.close();
    }

    @Test
    void theyAreThoseOfCopyAndCountedOnce() throws Exception {
        ByteArrayOutputStream copied = new ByteArrayOutputStream();
        new Chunk(Table.RIDES, 100, 900)
                .write(dataset, CopyRows.Format.TEXT, (bytes, length, count) -> copied.write(bytes, 0, length));
        for (int time = 0; time < 2; time++) {
            assertThat(fetch(rows.address("rides/100/900")).body()).isEqualTo(copied.toByteArray());
        }
        assertThat(progress.rows()).isEqualTo(800);
        assertThat(progress.bytes()).isEqualTo(copied.size());
    }

    /** Otherwise the node would import a part of a table, and call it all. */
    @Test
    void anAnswerThatFailsIsCutOff() {
        assertThatThrownBy(() -> fetch(rows.address("rides/0/many"))).isInstanceOf(IOException.class);
    }

    @Test
    void whoDoesNotKnowThePathGetsNothing() throws Exception {
        String address = rows.address("");
        String guessed = address.substring(0, address.indexOf('/', "http://".length()) + 1) + "rides/0/10";
        assertThat(fetch(guessed).statusCode()).isEqualTo(404);
    }

    private static HttpResponse<byte[]> fetch(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofByteArray());
    }
}

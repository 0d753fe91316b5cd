package io.movr.sender;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.movr.sender.HttpSender.Answer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpSenderTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpSender sender = new HttpSender();
    private HttpServer server;
    private String url;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getRawPath();
            seen.add(exchange.getRequestMethod() + " " + path + " " + body + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            try {
                if (path.equals("/silent")) {
                    end.await();
                }
                exchange.getResponseHeaders().add("Location", "/here");
                exchange.sendResponseHeaders(path.equals("/wrong") ? 503 : 200, 4);
                exchange.getResponseBody().write("part".getBytes(StandardCharsets.UTF_8), 0, 2);
                exchange.getResponseBody().flush();
                if (path.equals("/half")) {
                    end.await();
                }
                exchange.getResponseBody().write("part".getBytes(StandardCharsets.UTF_8), 2, 2);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        url = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void anAnswerHasItsStatusItsBodyAndItsHeaders() throws Exception {
        Answer answer = sender.answer(HttpSender.get(url + "/" + HttpSender.encoded("new york/é"), LONG));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("part");
        assertThat(answer.header("location")).hasValue("/here");
        assertThat(answer.failureUnless(200)).isEmpty();
        assertThat(answer.failureUnless(201)).isEqualTo("Answered 200");
        assertThat(seen).containsExactly("GET /new%20york%2F%C3%A9  null");
    }

    @Test
    void aWriteHasItsBodyAndItsKey() throws Exception {
        var unused = sender.answer(HttpSender.write("PATCH", url + "/x", "{}", "key", LONG));
        assertThat(seen).containsExactly("PATCH /x {} key");
    }

    @Test
    void aRequestWithoutAnAnswerInTimeFailsAndItsOutcomeIsUnknown() throws Exception {
        for (String path : List.of("/silent", "/half")) {
            Answer answer = sender.answer(HttpSender.get(url + path, Duration.ofMillis(300)));
            assertThat(answer.status()).as(path).isEqualTo(Answer.NO_ANSWER);
            assertThat(answer.failureUnless(200)).as(path).isNotEmpty().doesNotContain("Answered");
            assertThat(answer.isUnknown()).isTrue();
        }
        assertThat(sender.answer(HttpSender.get(url + "/wrong", LONG)).isUnknown())
                .as("503")
                .isTrue();
    }

    @Test
    void aRequestWithoutAConnectionWasNotSent() throws Exception {
        server.stop(0);
        Answer answer = sender.answer(HttpSender.get(url + "/x", LONG));
        assertThat(answer.status()).isEqualTo(Answer.NOT_SENT);
        assertThat(answer.failureUnless(200)).isNotEmpty();
        assertThat(answer.isUnknown()).isFalse();
    }

    @Test
    void answersCanBeAwaited() throws Exception {
        var answer = sender.send(HttpSender.get(url + "/silent", LONG));
        sender.awaitAnswers(Duration.ofMillis(50));
        assertThat(answer).isNotDone();
        end.countDown();
        sender.awaitAnswers(LONG);
        assertThat(answer.join().status()).isEqualTo(200);
    }
}

package io.movr.idempotency;

import io.movr.datasource.Transactions;
import io.movr.datasource.Unavailable;
import io.movr.web.CanonicalJson;
import io.movr.web.Problem;
import io.movr.web.RequestProblem;
import io.movr.web.Version;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Executes a write and stores its answer in the same transaction, under the key of the request. The same request under the same
 * key gets that answer again; another request under it is refused. Of concurrent requests one is executed. The others are
 * refused because of its effects, or conflict with it in the primary key of {@code idempotency_keys} and are rolled back; then
 * they look for its answer.
 *
 * <p>A request without a key gets one, so that a transaction with an interrupted commit can be looked up before it is
 * retried. A refusal writes nothing, the key included: the request may succeed later under the same key.
 */
@Service
public class IdempotentWrites {

    /**
     * A requested write.
     *
     * @param operation its name in the domain, for metrics
     * @param city of the rows that it writes
     * @param key the client's key, {@code null} if it has none
     * @param request all inputs of the write, in types that Jackson can write; {@code null} elements are missing
     *     inputs
     */
    public record Write(
            String operation, String city, @Nullable String key, Object request) {}

    /**
     * An answer to a write.
     *
     * @param repeated whether the write had been done before, for another request
     */
    public record Answer<T>(T body, boolean repeated) {}

    /**
     * The version of the digest algorithm. Digests of another version cannot be compared, so requests are then distinguished
     * only by their operations: an unnoticed misuse of a key, as long as that digest is kept, is better than refusing every
     * valid repetition after an upgrade.
     */
    private static final String DIGEST_VERSION = "v2:";

    private final Transactions transactions;
    private final AnsweredRequests answered;
    private final JsonMapper json;
    private final Clock clock;
    private final AtomicReference<LocalDateTime> latest = new AtomicReference<>(LocalDateTime.MIN);

    IdempotentWrites(Transactions transactions, AnsweredRequests answered, JsonMapper json, Clock clock) {
        this.transactions = transactions;
        this.answered = answered;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Executes a write, unless it has been executed before.
     *
     * @param type of the answer, which Jackson can read and write
     * @param work the write, which receives its time; it runs in a transaction, possibly several times
     * @throws Problem if the key was used for another request, or the work refuses the request
     * @throws io.movr.datasource.Unavailable if the database is not available
     */
    public <T> Answer<T> once(Write write, Class<T> type, Work<T> work) {
        String hash = DIGEST_VERSION + Version.sha256(write.operation() + "\n" + CanonicalJson.of(write.request()));
        String clientKey = write.key();
        boolean ownKey = clientKey == null;
        String key = clientKey == null ? "movr-" + UUID.randomUUID() : clientKey;
        Attempts attempts = new Attempts();
        try {
            return transactions.write(write.operation(), () -> attempt(write, key, ownKey, hash, type, work, attempts));
        } catch (Unavailable unavailable) {
            // The conflicting request may have been a copy of this one.
            Optional<AnsweredRequest> done = ownKey || unavailable.reason() != Unavailable.Reason.CONTENTION
                    ? Optional.empty()
                    : transactions.read("find answer", () -> answered.find(write.city(), key));
            return answer(done.orElseThrow(() -> unavailable), write, hash, type, attempts);
        }
    }

    private <T> Answer<T> attempt(
            Write write, String key, boolean ownKey, String hash, Class<T> type, Work<T> work, Attempts attempts) {
        boolean again = attempts.count++ > 0;
        // Most writes come once. Looking for each would cost them a round trip, and make serializable ones fail
        // that only share a page of the keys' index.
        Optional<AnsweredRequest> before = again ? answered.find(write.city(), key) : Optional.empty();
        if (before.isPresent()) {
            return answer(before.get(), write, hash, type, attempts);
        }
        LocalDateTime now = now();
        attempts.times.add(now);
        T body;
        try {
            body = work.at(now);
        } catch (Problem refused) {
            // The cause of the refusal may be the same request: a former or concurrent copy, or an earlier attempt that
            // was committed after its connection was lost. Only a newly drawn key cannot have been used before.
            AnsweredRequest done =
                    ownKey && !again ? null : answered.find(write.city(), key).orElse(null);
            if (done == null) {
                throw refused;
            }
            return answer(done, write, hash, type, attempts);
        }
        answered.insert(write.city(), key, write.operation(), hash, json.writeValueAsString(body), now);
        return new Answer<>(body, false);
    }

    /** Returns the time of an attempt, which is unique in this process, so that an attempt recognises its own answer. */
    private LocalDateTime now() {
        LocalDateTime time = LocalDateTime.now(clock).truncatedTo(ChronoUnit.MICROS);
        return latest.updateAndGet(last -> time.isAfter(last) ? time : last.plus(1, ChronoUnit.MICROS));
    }

    private <T> Answer<T> answer(AnsweredRequest done, Write write, String hash, Class<T> type, Attempts attempts) {
        return new Answer<>(repeat(done, write, hash, type), !attempts.times.contains(done.creationTime()));
    }

    private <T> T repeat(AnsweredRequest before, Write write, String hash, Class<T> type) {
        boolean comparable = before.requestHash().startsWith(DIGEST_VERSION);
        if (!before.operation().equals(write.operation())
                || (comparable && !before.requestHash().equals(hash))) {
            throw RequestProblem.IDEMPOTENCY_KEY_REUSED.because(
                    "The key was used for another request, to " + before.operation());
        }
        return json.readValue(before.response(), type);
    }

    /** The work of a transaction, given its time in UTC. */
    public interface Work<T> {
        T at(LocalDateTime now);
    }

    /** The previous attempts at the same write. Any of them may have been committed although its connection was lost. */
    private static final class Attempts {
        private int count;
        private final Set<LocalDateTime> times = new HashSet<>();
    }
}

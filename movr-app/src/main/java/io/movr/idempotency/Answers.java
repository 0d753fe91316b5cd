package io.movr.idempotency;

import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.RequestProblem;
import io.movr.web.Version;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.UriComponentsBuilder;

/** Answers of resources, with their version, and of writes, with whether they had been done before. */
public final class Answers {

    /** The header that names a request. */
    public static final String KEY = "Idempotency-Key";

    /** The header of an answer that had been given before. */
    public static final String REPLAYED = "Idempotency-Replayed";

    /** What a key may be made of. */
    public static final String KEY_PATTERN = "[!-~]{1,128}";

    private static final Pattern VALID_KEY = Pattern.compile(KEY_PATTERN);

    private Answers() {}

    /** Refuses a key that cannot be one. */
    public static @Nullable String checked(@Nullable String key) {
        if (key != null && !VALID_KEY.matcher(key).matches()) {
            throw RequestProblem.INVALID_REQUEST.because(
                    KEY, "is not 1 to 128 visible ASCII characters: a UUID would do");
        }
        return key;
    }

    /** Returns a resource that is there now, at a path below {@code /api}. */
    public static <T> ResponseEntity<T> created(Answer<T> answer, @Nullable Version version, Object... path) {
        return answered(answer, ResponseEntity.created(location(path)), version);
    }

    /** Returns a resource that was changed. */
    public static <T> ResponseEntity<T> done(Answer<T> answer, @Nullable Version version) {
        return answered(answer, ResponseEntity.ok(), version);
    }

    public static <T> ResponseEntity<T> shown(T body, Version version) {
        return ResponseEntity.status(HttpStatus.OK).eTag(version.tag()).body(body);
    }

    private static <T> ResponseEntity<T> answered(
            Answer<T> answer, ResponseEntity.BodyBuilder response, @Nullable Version version) {
        if (answer.repeated()) {
            response.header(REPLAYED, "true");
        }
        if (version != null) {
            response.eTag(version.tag());
        }
        return response.body(answer.body());
    }

    private static URI location(Object... path) {
        UriComponentsBuilder builder = UriComponentsBuilder.fromPath("/api");
        for (Object segment : path) {
            builder.pathSegment(segment.toString());
        }
        return builder.encode().build().toUri();
    }
}

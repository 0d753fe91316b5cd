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

/** The responses of resources, with the headers for versions and for replayed writes. */
public final class Answers {

    /** The header with the key of a request. */
    public static final String KEY = "Idempotency-Key";

    /** The header of a replayed answer. */
    public static final String REPLAYED = "Idempotency-Replayed";

    /** The regular expression of a key. */
    public static final String KEY_PATTERN = "[!-~]{1,128}";

    private static final Pattern VALID_KEY = Pattern.compile(KEY_PATTERN);

    private Answers() {}

    /** Refuses a malformed key. */
    public static @Nullable String checked(@Nullable String key) {
        if (key != null && !VALID_KEY.matcher(key).matches()) {
            throw RequestProblem.INVALID_REQUEST.because(
                    KEY, "must be 1 to 128 visible ASCII characters, such as a UUID");
        }
        return key;
    }

    /** Returns the answer for a created resource, at a path below {@code /api}. */
    public static <T> ResponseEntity<T> created(Answer<T> answer, @Nullable Version version, Object... path) {
        return answered(answer, ResponseEntity.created(location(path)), version);
    }

    /** Returns the answer for a changed resource. */
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

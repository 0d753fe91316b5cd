package io.movr.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The version of a row, made from its {@linkplain CanonicalJson content}: an entity tag for conditional requests. The tables
 * have no column for one, because other programs write into them too.
 *
 * @param tag in the form of an ETag, quotes included
 */
public record Version(String tag) {

    private static final int BYTES = 12;

    public static Version of(Record row) {
        return new Version("\"" + sha256(CanonicalJson.of(row)).substring(0, 2 * BYTES) + "\"");
    }

    /**
     * Refuses a change that is based on another version.
     *
     * @param ifMatch the header of the request, {@code null} if any version will do
     */
    public void require(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return;
        }
        for (String wanted : ifMatch.split(",", -1)) {
            if (wanted.strip().equals(tag)) {
                return;
            }
        }
        throw RequestProblem.STALE_VERSION.because("If-Match is " + ifMatch + ", but the current version is " + tag);
    }

    /** Returns the digest of a text, in hexadecimal digits. */
    public static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}

package io.movr.lab;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The expected answers to each row of parameters: given rows, any rows, or the same rows on both sides and in every run.
 * In the last case each answer is compared with the first answer to the same row of parameters.
 */
final class ExpectedAnswers {

    private static final int SHOWN = 300;

    /**
     * A digest of an answer, which takes little memory.
     *
     * @param inAnyOrder the digest of its sorted rows
     */
    private record Seen(String digest, String inAnyOrder, String brief) {}

    private final boolean any;
    private final boolean ordered;
    private final @Nullable Supplier<List<List<String>>> given;
    private @Nullable Seen expected;
    private final Map<Integer, Seen> first = new HashMap<>();

    private ExpectedAnswers(boolean any, boolean ordered, @Nullable Supplier<List<List<String>>> given) {
        this.any = any;
        this.ordered = ordered;
        this.given = given;
    }

    static ExpectedAnswers any() {
        return new ExpectedAnswers(true, false, null);
    }

    /** @param ordered whether the order of the rows matters */
    static ExpectedAnswers same(boolean ordered) {
        return new ExpectedAnswers(false, ordered, null);
    }

    /**
     * Expects given rows.
     *
     * @param rows supplies the rows when the first answer is checked
     * @param ordered whether the order of the rows matters
     */
    static ExpectedAnswers of(Supplier<List<List<String>>> rows, boolean ordered) {
        return new ExpectedAnswers(false, ordered, rows);
    }

    /**
     * Returns what is wrong with an answer, empty if it is right.
     *
     * @param parameters the number of the row of parameters
     */
    Optional<String> complaint(int parameters, List<List<String>> answer) {
        if (any) {
            return Optional.empty();
        }
        String digest = digest(ordered ? answer : sorted(answer));
        if (given != null && expected == null) {
            expected = seen(given.get());
        }
        Seen right = given == null ? first.computeIfAbsent(parameters, any -> seen(answer)) : expected;
        if (right == null || right.digest().equals(digest)) {
            return Optional.empty();
        }
        Seen seen = seen(answer);
        String before = given == null ? ", as an earlier run answered" : "";
        return Optional.of(
                right.inAnyOrder().equals(seen.inAnyOrder())
                        ? "the rows are right, but in another order: if some tie in ORDER BY, add a key to it; expected "
                                + right.brief() + before
                        : "expected " + right.brief() + before + ", got " + seen.brief());
    }

    private Seen seen(List<List<String>> answer) {
        List<List<String>> sorted = sorted(answer);
        List<List<String>> rows = ordered ? answer : sorted;
        String inAnyOrder = digest(sorted);
        String text = answer.size()
                + (answer.size() == 1 ? " row " : " rows ")
                + rows.subList(0, Math.min(rows.size(), SHOWN));
        return new Seen(
                ordered ? digest(answer) : inAnyOrder,
                inAnyOrder,
                text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text);
    }

    private static List<List<String>> sorted(List<List<String>> answer) {
        return answer.stream().sorted(Comparator.comparing(Object::toString)).toList();
    }

    private static String digest(List<List<String>> rows) {
        MessageDigest digest = sha256();
        for (List<String> row : rows) {
            for (String cell : row) {
                byte[] bytes = cell.getBytes(StandardCharsets.UTF_8);
                // The length prevents two cells from having the digest of one.
                digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            digest.update((byte) '\n');
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}

package io.movr.database;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.Parser;

/**
 * A statement with question marks, made from one whose parameters are question marks or written {@code :name}. Strings,
 * quoted identifiers, comments, dollar quotes, casts ({@code ::int}) and slices ({@code a[1:n]}) have no parameters.
 *
 * @param statement with a question mark for each parameter
 * @param values of the question marks, in their order
 */
public record NamedParameters(String statement, List<? extends @Nullable Object> values) {

    /**
     * Replaces names by question marks.
     *
     * @param values one for each question mark, or one for each name, in the order in which the names first occur
     * @throws IllegalArgumentException if the statement has another number of parameters, or parameters of both kinds
     */
    public static NamedParameters of(String statement, List<? extends @Nullable Object> values) {
        char[] text = statement.toCharArray();
        StringBuilder replaced = new StringBuilder();
        List<String> names = new ArrayList<>();
        int marks = 0;
        int copied = 0;
        for (int at = 0; at < text.length; at++) {
            switch (text[at]) {
                case '\'' -> at = Parser.parseSingleQuotes(text, at, true);
                case '"' -> at = Parser.parseDoubleQuotes(text, at);
                case '-' -> at = Parser.parseLineComment(text, at);
                case '/' -> at = Parser.parseBlockComment(text, at);
                case '$' -> at = Parser.parseDollarQuotes(text, at);
                case '?' -> {
                    // To the driver two of them are an operator's one.
                    boolean operator = at + 1 < text.length && text[at + 1] == '?';
                    marks += operator ? 0 : 1;
                    at += operator ? 1 : 0;
                }
                case ':' -> {
                    int end = at + 1;
                    while (end < text.length && Character.isJavaIdentifierPart(text[end])) {
                        end++;
                    }
                    if (isName(text, at, end)) {
                        names.add(statement.substring(at + 1, end));
                        replaced.append(statement, copied, at).append('?');
                        copied = end;
                    }
                    at = Math.max(at, end - 1);
                }
                default -> {}
            }
        }
        if (marks > 0 && !names.isEmpty()) {
            throw new IllegalArgumentException("The statement has the parameters ? and :" + names.get(0)
                    + ": write all of them as ?, or all as :name");
        }
        List<String> distinct = List.copyOf(new LinkedHashSet<>(names));
        int parameters = marks + distinct.size();
        if (parameters != values.size()) {
            throw new IllegalArgumentException("The statement has " + count(parameters, "parameter")
                    + distinct.stream().map(name -> " :" + name).collect(Collectors.joining(",")) + ", and "
                    + count(values.size(), "value") + (values.size() == 1 ? " is" : " are")
                    + " given: give one value for each parameter"
                    + (parameters == 0 ? ", which is written ? or :name" : ", in the order in which they first occur"));
        }
        if (names.isEmpty()) {
            return new NamedParameters(statement, values);
        }
        List<@Nullable Object> each = new ArrayList<>();
        names.forEach(name -> each.add(values.get(distinct.indexOf(name))));
        return new NamedParameters(replaced.append(statement.substring(copied)).toString(), each);
    }

    /** Whether a colon begins a name, and not a cast, an assignment or the end of a slice, which follows a value. */
    private static boolean isName(char[] text, int colon, int end) {
        char before = colon == 0 ? ' ' : text[colon - 1];
        boolean follows = before == ':' || before == ']' || before == ')' || Character.isJavaIdentifierPart(before);
        return !follows && end > colon + 1 && Character.isJavaIdentifierStart(text[colon + 1]);
    }

    private static String count(int number, String what) {
        return (number == 0 ? "no" : number) + " " + what + (number == 1 ? "" : "s");
    }
}

package io.movr.database;

import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
     * @throws IllegalArgumentException if the statement has another number of parameters, parameters of both kinds, or a quote
     *     or comment that is not closed
     */
    public static NamedParameters of(String statement, List<? extends @Nullable Object> values) {
        StringBuilder replaced = new StringBuilder();
        List<String> names = new ArrayList<>();
        int marks = 0;
        int copied = 0;
        List<Token> tokens = SqlScanner.tokens(statement);
        for (int index = 0; index < tokens.size(); index++) {
            Token token = tokens.get(index);
            if (token.kind() == Kind.NAMED_PARAMETER) {
                names.add(SqlScanner.unquoted(token.in(statement)));
                replaced.append(statement, copied, token.start()).append('?');
                copied = token.end();
            } else if (token.in(statement).equals("?")) {
                // To the driver two of them are an operator's one.
                boolean operator = statement.startsWith("?", token.end());
                marks += operator ? 0 : 1;
                index += operator ? 1 : 0;
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

    private static String count(int number, String what) {
        return (number == 0 ? "no" : number) + " " + what + (number == 1 ? "" : "s");
    }
}

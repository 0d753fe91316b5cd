package io.movr.lab;

import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a script. Parameters are written {@code :name}; strings, quoted identifiers, comments, dollar quotes and
 * casts ({@code ::int}) are left as they are.
 *
 * @param text the statement as it is written
 * @param jdbc the statement with a question mark for each parameter
 * @param parameters the names of the parameters, in the order of the question marks
 * @param words its keywords and identifiers, in lower case unless they are quoted
 * @param ordered whether the whole answer has an order
 * @param line the line of its first word in the script, from 1
 * @param copyData the rows of {@code COPY … FROM stdin} that follow it; {@code null} if it is another statement
 */
record SqlStatement(
        String text,
        String jdbc,
        List<String> parameters,
        List<String> words,
        boolean ordered,
        int line,
        @Nullable String copyData) {

    /** The variable of psql that holds the name of the connected database. */
    static final String DATABASE_NAME = "DBNAME";

    /** The text behind a question mark that is no operator: an operator has an operand on its right. */
    private static final Pattern NO_OPERAND =
            Pattern.compile("\\s*($|[),;]|(and|or|order|group|limit|returning)\\b)", Pattern.CASE_INSENSITIVE);

    /** The commands that pg_dump writes around a script since August 2025. */
    private static final Set<String> PASSED_OVER = Set.of("\\restrict", "\\unrestrict");

    private static final Pattern END_OF_COPY = Pattern.compile("^\\\\\\.\\r?$", Pattern.MULTILINE);

    private static final Set<String> READING = Set.of("select", "values", "table", "with");
    private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge", "upsert");

    /**
     * Splits a script into its statements.
     *
     * @throws IllegalArgumentException if it cannot be read, with the reason and the line
     */
    static List<SqlStatement> of(String script) {
        return of(script, Map.of());
    }

    /**
     * Splits a script into its statements.
     *
     * @param variables the values by name that replace parameters before the script is read, as in psql
     * @throws IllegalArgumentException if it cannot be read, with the reason and the line
     */
    static List<SqlStatement> of(String script, Map<String, String> variables) {
        return new Reader(script, variables).statements();
    }

    /** Returns the statement for a database: the variable {@value #DATABASE_NAME} becomes its quoted name. */
    String textIn(String database) {
        if (!parameters.contains(DATABASE_NAME)) {
            return text;
        }
        return of(text, Map.of(DATABASE_NAME, '"' + database.replace("\"", "\"\"") + '"'))
                .get(0)
                .text();
    }

    /** Returns whether the statement has a plan. */
    boolean isExplainable() {
        return READING.contains(words.get(0)) || WRITING.contains(words.get(0));
    }

    /** Returns whether the statement writes, also in a part of {@code WITH}. A function that writes is not recognized. */
    boolean writes() {
        for (int index = 0; index < words.size(); index++) {
            String word = words.get(index);
            String before = index == 0 ? "" : words.get(index - 1);
            boolean locks = word.equals("update") && (before.equals("for") || before.equals("key"));
            if ((WRITING.contains(word) && !locks) || (index > 0 && word.equals("into"))) {
                return true;
            }
        }
        return !READING.contains(words.get(0));
    }

    /** Reads one script. */
    private static final class Reader {

        private String script;
        private final Map<String, String> variables;
        private final List<SqlStatement> statements = new ArrayList<>();
        private int at;
        private int start;
        private int firstWord = -1;
        private int countedTo;
        private int linesCounted;
        private int depth;
        private boolean ordered;
        private String topWord = "";
        private boolean copiesRows;
        private boolean copyDirected;
        private final StringBuilder jdbc = new StringBuilder();
        private List<String> parameters = new ArrayList<>();
        private List<String> words = new ArrayList<>();

        Reader(String script, Map<String, String> variables) {
            this.script = script;
            this.variables = variables;
        }

        List<SqlStatement> statements() {
            while (at < script.length()) {
                next();
            }
            end(at, copiesRows ? "" : null);
            return List.copyOf(statements);
        }

        private void command() {
            int end = script.indexOf('\n', at);
            String line = script.substring(at, end < 0 ? script.length() : end).strip();
            String command = line.split("\\s", 2)[0];
            if (!PASSED_OVER.contains(command) || !words.isEmpty()) {
                throw wrong(
                        command + " is a command of psql, which is not run here: write it as SQL, or remove it", at);
            }
            at += line.length();
            start = at;
        }

        /** The lines after {@code COPY … FROM stdin;} as psql reads them: up to a line with a backslash and a point. */
        private String rows() {
            int first = script.indexOf('\n', at) + 1;
            if (first == 0) {
                at = script.length();
                return "";
            }
            Matcher end = END_OF_COPY.matcher(script);
            boolean found = end.find(first);
            String rows = script.substring(first, found ? end.start() : script.length());
            at = found ? end.end() : script.length();
            return rows;
        }

        private void next() {
            Token token = SqlScanner.next(script, at);
            switch (token.kind()) {
                case WORD -> word(token);
                case QUOTED_NAME -> {
                    noteWord();
                    words.add(SqlScanner.unquoted(token.in(script)));
                    copyTo(token.end());
                }
                case NAMED_PARAMETER -> parameter(SqlScanner.unquoted(token.in(script)), token.end());
                case NUMBERED_PARAMETER -> throw wrong("parameters are written :name, not $1", at);
                case SYMBOL -> symbol(token);
                default -> copyTo(token.end());
            }
        }

        private void symbol(Token token) {
            char one = script.charAt(at);
            if (one == '?') {
                if (NO_OPERAND.matcher(script).region(at + 1, script.length()).lookingAt()) {
                    throw wrong("parameters are written :name, not ?", at);
                }
                // The driver reads two question marks as one that is no parameter.
                jdbc.append("??");
                at++;
            } else if (one == ';' && depth == 0) {
                int semicolon = at;
                at++;
                end(semicolon, copiesRows ? rows() : null);
                start = at;
            } else if (one == '\\') {
                command();
            } else {
                depth += one == '(' || one == '[' ? 1 : one == ')' || one == ']' ? -1 : 0;
                copyTo(token.end());
            }
        }

        private void noteWord() {
            if (firstWord < 0) {
                firstWord = at;
            }
        }

        private void word(Token token) {
            int end = token.end();
            String word = token.in(script);
            String lower = word.toLowerCase(Locale.ROOT);
            if (lower.equals("u") && script.startsWith("&\"", end)) {
                throw wrong("a name with Unicode escapes, U&\"…\", is not read: write its characters", at);
            }
            noteWord();
            words.add(lower);
            if (depth == 0) {
                if (!copyDirected && words.get(0).equals("copy") && (topWord.equals("from") || topWord.equals("to"))) {
                    copyDirected = true;
                    copiesRows = topWord.equals("from") && lower.equals("stdin");
                }
                ordered |= lower.equals("by") && topWord.equals("order");
                topWord = lower;
            }
            copyTo(end);
        }

        private void parameter(String name, int end) {
            String value = variables.get(name);
            if (value != null) {
                script = script.substring(0, at) + value + script.substring(end);
                return;
            }
            parameters.add(name);
            jdbc.append('?');
            at = end;
        }

        private void copyTo(int end) {
            jdbc.append(script, at, end);
            at = end;
        }

        private void end(int end, @Nullable String copyData) {
            // Text without a word is space and comments.
            if (!words.isEmpty()) {
                statements.add(new SqlStatement(
                        script.substring(start, end).strip(),
                        jdbc.toString().strip(),
                        List.copyOf(parameters),
                        List.copyOf(words),
                        ordered,
                        lineOfFirstWord(),
                        copyData));
            }
            jdbc.setLength(0);
            parameters = new ArrayList<>();
            words = new ArrayList<>();
            firstWord = -1;
            copiesRows = false;
            copyDirected = false;
            depth = 0;
            ordered = false;
            topWord = "";
        }

        private IllegalArgumentException wrong(String what, int where) {
            return new IllegalArgumentException(what + " (line " + SqlScanner.lineOf(script, where) + ")");
        }

        /** Counts on from the previous statement, because a script may have very many. */
        private int lineOfFirstWord() {
            for (; countedTo < firstWord; countedTo++) {
                linesCounted += script.charAt(countedTo) == '\n' ? 1 : 0;
            }
            return linesCounted + 1;
        }
    }
}

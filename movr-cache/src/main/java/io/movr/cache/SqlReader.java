package io.movr.cache;

import io.movr.cache.Sql.Name;
import io.movr.cache.Sql.Operand;
import io.movr.cache.Sql.Other;
import io.movr.cache.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Determines the effect of a statement. It recognises a few forms; any other statement counts as one that may do anything.
 */
final class SqlReader {

    /** Functions whose answer follows from their arguments and from settings that all sessions share. */
    private static final Set<String> PURE = words("abs array_agg array_length avg bool_and bool_or btrim cardinality"
            + " ceil ceiling char_length coalesce concat concat_ws count date_part date_trunc dense_rank every exp"
            + " extract first_value floor generate_series greatest json_agg json_build_object jsonb_agg"
            + " jsonb_build_object lag last_value lead least left length ln lower lpad ltrim max md5 min mod nth_value"
            + " ntile nullif position power rank replace reverse right round row_number rpad rtrim sign split_part sqrt"
            + " stddev string_agg substr substring sum to_char to_timestamp trim trunc unnest upper variance");

    /** Functions that write no rows, but whose results must not be cached. */
    private static final Set<String> VOLATILE = words("age clock_timestamp cluster_logical_timestamp current_database"
            + " current_schema current_schemas current_setting currval follower_read_timestamp gateway_region"
            + " gen_random_ulid gen_random_uuid lastval nextval now pg_backend_pid pg_current_xact_id"
            + " pg_is_in_recovery pg_sleep pg_table_is_visible pg_try_advisory_lock pg_advisory_lock"
            + " pg_advisory_unlock pg_advisory_xact_lock pg_typeof random setval statement_timestamp timeofday"
            + " transaction_timestamp txid_current unique_rowid uuid_generate_v4 uuidv4 uuidv7 version"
            + " with_max_staleness with_min_timestamp");

    /** Words that may stand before a parenthesis without being a function. */
    private static final Set<String> BEFORE_PARENTHESIS =
            words("all and any array as bernoulli bigint between bit by case cast"
                    + " char character conflict decimal distinct else except exists filter float from group having ilike in"
                    + " integer intersect interval is join lateral like limit not numeric offset on only or order over partition"
                    + " returning row select set some system then time timestamp timestamptz union using values varchar when where"
                    + " within");

    /** Functions that are written without parentheses. */
    private static final Set<String> NILADIC = words("current_catalog current_date current_role current_schema"
            + " current_time current_timestamp current_user localtime localtimestamp session_user system_user user");

    private static final Set<String> WRITING =
            words("insert update delete merge upsert truncate into create alter drop call do execute copy");

    private static final Set<String> AFTER_FROM = words(
            "where group having window union intersect except order limit offset fetch for returning select set values");

    /** Where the conditions of a statement of one table end. */
    private static final Set<String> AFTER_WHERE = words("group having window order limit offset fetch returning");

    /** The words that exclude a plain conjunction of conditions. */
    private static final Set<String> NO_PLAIN_CONDITIONS =
            words("or between case select union intersect except any some all");

    /**
     * Words that a date or time takes for the time at which it is read, wherever they stand in a text, such as
     * {@code 'today 10:00'}; and a time with a time zone, whose offset depends on the date.
     */
    private static final Pattern MOVING_TIME = Pattern.compile(
            "(?<!\\p{Alpha})(?:now|today|tomorrow|yesterday|allballs)(?!\\p{Alpha})", Pattern.CASE_INSENSITIVE);

    private static final Set<String> TIME_TYPES = words("date time timestamp timestamptz timetz");

    /** Functions that can build such a text. */
    private static final Set<String> MAKING_TEXT = words("btrim concat concat_ws left lower lpad ltrim replace reverse"
            + " right rpad rtrim split_part string_agg substr substring to_char trim upper");

    private final List<Token> tokens;

    private SqlReader(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** Returns the effect of a statement. */
    static Sql read(String sql) {
        Optional<List<Token>> tokens = Lexer.tokens(sql);
        if (tokens.isEmpty() || tokens.get().isEmpty()) {
            return Other.UNKNOWN;
        }
        return new SqlReader(tokens.get()).read();
    }

    /** Returns whether a text denotes a time relative to now. */
    static boolean isMovingTime(String text) {
        return MOVING_TIME.matcher(text).find();
    }

    private Sql read() {
        if (tokens.stream().anyMatch(token -> token.isSymbol(";"))) {
            return Other.UNKNOWN;
        }
        String verb = word(0);
        return switch (verb) {
            case "select" -> select();
            case "insert", "upsert" -> insert();
            case "update" -> update();
            case "delete" -> delete();
            case "with", "values", "show", "explain", "table" -> writes(0) ? Other.UNKNOWN : Other.UNCACHED_READ;
            case "set", "reset", "discard", "use" -> Other.SESSION;
            case "begin", "start" -> Other.BEGIN;
            // A transaction that was prepared for a commit in two phases may hold anything.
            case "commit", "end", "rollback", "abort" -> transactionEnd();
            case "savepoint", "release" -> Other.UNCACHED_READ;
            default -> Other.UNKNOWN;
        };
    }

    private Sql transactionEnd() {
        if (has("prepared")) {
            return Other.UNKNOWN;
        }
        return has("to") ? Other.UNCACHED_READ : Other.END;
    }

    private Sql select() {
        if (writes(0)) {
            return Other.UNKNOWN;
        }
        Set<Name> tables = new LinkedHashSet<>();
        if (!isRepeatable() || !collectTables(tables)) {
            return Other.UNCACHED_READ;
        }
        boolean simple = tables.size() == 1
                && relations() == 1
                && tokens.stream().filter(token -> token.isWord("select")).count() == 1;
        return new Sql.Read(List.copyOf(tables), simple ? conditions() : Map.of());
    }

    /** Returns whether anything in it could write rows or change the session. */
    private boolean writes(int from) {
        for (int index = from; index < tokens.size(); index++) {
            Token token = tokens.get(index);
            if (token.kind() == Kind.WORD && WRITING.contains(token.text()) && !isLock(index)) {
                return true;
            }
            if (isFunction(index) && !isKnown(index)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a word begins a lock clause: FOR UPDATE or FOR NO KEY UPDATE. */
    private boolean isLock(int index) {
        return word(index).equals("update")
                && (word(index - 1).equals("for") || word(index - 1).equals("key"));
    }

    private boolean isFunction(int index) {
        return index + 1 < tokens.size()
                && tokens.get(index + 1).isSymbol("(")
                && tokens.get(index).isName()
                && !(tokens.get(index).kind() == Kind.WORD && BEFORE_PARENTHESIS.contains(word(index)))
                && !word(index - 1).equals("as");
    }

    private boolean isKnown(int index) {
        boolean qualified = index > 0 && tokens.get(index - 1).isSymbol(".");
        return !qualified && (PURE.contains(word(index)) || VOLATILE.contains(word(index)));
    }

    /** Returns whether the same statement gives the same result as long as no row changes. */
    private boolean isRepeatable() {
        if (convertsMadeText()) {
            return false;
        }
        for (int index = 0; index < tokens.size(); index++) {
            Token token = tokens.get(index);
            boolean moving = switch (token.kind()) {
                case WORD ->
                    NILADIC.contains(token.text())
                            || token.text().equals("for")
                            || token.text().equals("table")
                            || token.text().equals("tablesample")
                            || token.text().equals("timetz")
                            || (token.text().equals("time") && word(index + 1).equals("with"))
                            || (token.text().equals("of") && word(index + 1).equals("system"))
                            || (isFunction(index) && VOLATILE.contains(token.text()));
                // Of two in a row the server makes one.
                case STRING -> isMovingTime(token.text()) || isStringAt(index + 1);
                // CockroachDB reads the outcome of other statements from brackets.
                case SYMBOL -> token.text().equals("[");
                case QUOTED_NAME, NUMBER, PARAMETER -> false;
            };
            if (moving) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a date or time may be read from a text that the statement puts together, such as {@code 'to' ||
     * 'day'}.
     */
    private boolean convertsMadeText() {
        boolean converts = false;
        boolean makes = false;
        for (int index = 0; index < tokens.size(); index++) {
            String word = word(index);
            converts |= TIME_TYPES.contains(word)
                    && (symbol(index - 1).equals(":") || word(index - 1).equals("as"));
            makes |= MAKING_TEXT.contains(word)
                    || (symbol(index).equals("|") && symbol(index + 1).equals("|"));
        }
        return converts && makes;
    }

    private boolean isStringAt(int index) {
        return index < tokens.size() && tokens.get(index).kind() == Kind.STRING;
    }

    /** A parenthesis, or the whole statement. */
    private static final class Clause {
        private boolean selects;
        private boolean from;
        private boolean relationNext;
    }

    private boolean collectTables(Set<Name> tables) {
        Deque<Clause> clauses = new ArrayDeque<>();
        clauses.push(new Clause());
        for (int index = 0; index < tokens.size(); index++) {
            Token token = tokens.get(index);
            Clause clause = clauses.peek();
            if (clause == null) {
                return false;
            }
            if (token.isSymbol("(")) {
                Clause inner = new Clause();
                if (clause.relationNext) {
                    // A join in parentheses, unless a SELECT follows, which says so by itself.
                    inner.selects =
                            inner.from = inner.relationNext = !word(index + 1).equals("select");
                    clause.relationNext = false;
                }
                clauses.push(inner);
            } else if (token.isSymbol(")")) {
                if (clause.relationNext) {
                    return false;
                }
                clauses.pop();
            } else if (token.isWord("select")) {
                clause.selects = true;
                clause.from = false;
            } else if (token.isWord("from") && clause.selects && !isComparison(index)) {
                clause.from = clause.relationNext = true;
            } else if (token.isWord("join") || (token.isSymbol(",") && clause.from)) {
                clause.from = clause.relationNext = true;
            } else if (token.kind() == Kind.WORD && AFTER_FROM.contains(token.text())) {
                if (clause.relationNext) {
                    return false;
                }
                clause.from = false;
            } else if (clause.relationNext && !token.isWord("lateral") && !token.isWord("only")) {
                if (!token.isName()) {
                    return false;
                }
                clause.relationNext = false;
                if (!isFunction(index)) {
                    Name name = nameAt(index);
                    tables.add(name);
                    index = afterName(index) - 1;
                }
            }
        }
        return clauses.size() == 1 && !clauses.getFirst().relationNext;
    }

    /** Returns whether FROM belongs to IS DISTINCT FROM. */
    private boolean isComparison(int index) {
        return word(index - 1).equals("distinct")
                && (word(index - 2).equals("is") || word(index - 2).equals("not"));
    }

    /** Returns how many relations are read; a table that is joined with itself counts twice. */
    private long relations() {
        boolean joins = tokens.stream().anyMatch(token -> token.isWord("join"));
        int from = indexOf("from", 0);
        int end = from;
        while (end >= 0 && end < tokens.size() && !(end > from && AFTER_FROM.contains(word(end)))) {
            if (tokens.get(end).isSymbol(",") || tokens.get(end).isSymbol("(")) {
                return 2;
            }
            end++;
        }
        return joins ? 2 : 1;
    }

    private Sql insert() {
        if (!word(1).equals("into") || !isNameAt(2)) {
            return Other.UNKNOWN;
        }
        Name table = nameAt(2);
        int index = afterName(2);
        List<String> columns = new ArrayList<>();
        if (symbol(index).equals("(")) {
            index++;
            while (index < tokens.size() && tokens.get(index).isName()) {
                columns.add(tokens.get(index).text());
                index += symbol(index + 1).equals(",") ? 2 : 1;
            }
            if (!symbol(index).equals(")")) {
                return Other.UNKNOWN;
            }
            index++;
        }
        int conflict = indexOf("conflict", index);
        int end = conflict < 0 ? tokens.size() : conflict;
        // ON CONFLICT DO UPDATE may write another row than the one that is named.
        boolean updates = conflict >= 0 && has("update");
        for (int word = index; word < tokens.size(); word++) {
            boolean ofConflict =
                    word > end && (word(word).equals("do") || word(word).equals("update"));
            if ((WRITING.contains(word(word)) && !ofConflict && !isLock(word))
                    || (isFunction(word) && !isKnown(word))) {
                return Other.UNKNOWN;
            }
        }
        boolean known = !columns.isEmpty() && word(index).equals("values") && !updates;
        return new Sql.Write(table, known ? rows(columns, index + 1) : List.of(), Set.of());
    }

    /** Returns the rows of VALUES; none if one of them has another number of values than columns. */
    private List<Map<String, Operand>> rows(List<String> columns, int from) {
        List<Map<String, Operand>> rows = new ArrayList<>();
        int parameter = parametersBefore(from);
        int index = from;
        while (symbol(index).equals("(")) {
            Map<String, Operand> row = new HashMap<>();
            int column = 0;
            int depth = 1;
            int begin = ++index;
            for (; index < tokens.size() && depth > 0; index++) {
                Token token = tokens.get(index);
                if (token.kind() == Kind.PARAMETER) {
                    parameter++;
                }
                depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
                if (depth == 0 || (depth == 1 && token.isSymbol(","))) {
                    if (column >= columns.size()) {
                        return List.of();
                    }
                    if (index - begin == 1 && tokens.get(begin).isOperand()) {
                        row.put(columns.get(column), operand(tokens.get(begin), parameter));
                    }
                    column++;
                    begin = index + 1;
                }
            }
            if (depth != 0 || column != columns.size()) {
                return List.of();
            }
            rows.add(row);
            index += symbol(index).equals(",") ? 1 : 0;
        }
        return rows;
    }

    private Sql update() {
        int index = word(1).equals("only") ? 2 : 1;
        if (!isNameAt(index) || writes(1)) {
            return Other.UNKNOWN;
        }
        Name table = nameAt(index);
        int set = indexOf("set", index);
        if (set < 0) {
            return Other.UNKNOWN;
        }
        Set<String> assigned = new HashSet<>();
        boolean plain = relationsOfUpdate(set) && tokens.get(set + 1).isName();
        for (int word = set; plain && word < tokens.size() && !word(word).equals("where"); word++) {
            if (tokens.get(word).isName() && symbol(word + 1).equals("=")) {
                assigned.add(tokens.get(word).text());
            }
            // SET (one, other) = …
            plain = !(symbol(word).equals(",") && symbol(word + 1).equals("("));
        }
        return new Sql.Write(table, plain ? List.of(conditions()) : List.of(), assigned);
    }

    /** Returns whether an UPDATE names no table but its own. */
    private boolean relationsOfUpdate(int set) {
        return indexOf("from", set) < 0 && indexOf("select", set) < 0 && set + 1 < tokens.size();
    }

    private Sql delete() {
        int index = word(2).equals("only") ? 3 : 2;
        if (!word(1).equals("from") || !isNameAt(index) || writes(1)) {
            return Other.UNKNOWN;
        }
        boolean plain = indexOf("using", 0) < 0 && indexOf("select", 0) < 0;
        return new Sql.Write(nameAt(index), plain ? List.of(conditions()) : List.of(), Set.of());
    }

    /** Returns the columns that must equal a value: conditions {@code column = value} that AND alone joins. */
    private Map<String, Operand> conditions() {
        int where = indexOf("where", 0);
        if (where < 0) {
            return Map.of();
        }
        Map<String, Operand> conditions = new HashMap<>();
        int parameter = parametersBefore(where);
        int depth = 0;
        int begin = where + 1;
        for (int index = begin; index <= tokens.size(); index++) {
            boolean end = index == tokens.size() || (depth == 0 && AFTER_WHERE.contains(word(index)));
            if (end || (depth == 0 && word(index).equals("and"))) {
                condition(begin, index, parameter, conditions);
                begin = index + 1;
            }
            if (end) {
                return conditions;
            }
            Token token = tokens.get(index);
            depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
            if (token.kind() == Kind.PARAMETER) {
                parameter++;
            }
            if (depth < 0 || (depth == 0 && NO_PLAIN_CONDITIONS.contains(word(index)))) {
                return Map.of();
            }
        }
        return conditions;
    }

    private void condition(int begin, int end, int parameter, Map<String, Operand> conditions) {
        int column = end - begin == 5 && symbol(begin + 1).equals(".") ? begin + 2 : begin;
        if (end - column == 3
                && tokens.get(column).isName()
                && symbol(column + 1).equals("=")
                && tokens.get(column + 2).isOperand()) {
            conditions.putIfAbsent(tokens.get(column).text(), operand(tokens.get(column + 2), parameter));
        }
    }

    private static Operand operand(Token token, int parameter) {
        return token.kind() == Kind.PARAMETER ? new Operand(parameter, "") : new Operand(0, token.text());
    }

    private int parametersBefore(int end) {
        return (int) tokens.subList(0, end).stream()
                .filter(token -> token.kind() == Kind.PARAMETER)
                .count();
    }

    private boolean has(String word) {
        return indexOf(word, 0) >= 0;
    }

    private int indexOf(String word, int from) {
        for (int index = from; index < tokens.size(); index++) {
            if (tokens.get(index).isWord(word)) {
                return index;
            }
        }
        return -1;
    }

    private boolean isNameAt(int index) {
        return index < tokens.size() && tokens.get(index).isName();
    }

    private Name nameAt(int index) {
        boolean qualified = symbol(index + 1).equals(".") && isNameAt(index + 2);
        return qualified
                ? new Name(tokens.get(index).text(), tokens.get(index + 2).text())
                : new Name("", tokens.get(index).text());
    }

    private int afterName(int index) {
        return symbol(index + 1).equals(".") && isNameAt(index + 2) ? index + 3 : index + 1;
    }

    private String word(int index) {
        return index >= 0 && index < tokens.size() && tokens.get(index).kind() == Kind.WORD
                ? tokens.get(index).text()
                : "";
    }

    private String symbol(int index) {
        return index >= 0 && index < tokens.size() && tokens.get(index).kind() == Kind.SYMBOL
                ? tokens.get(index).text()
                : "";
    }

    private static Set<String> words(String words) {
        return Set.of(words.split(" "));
    }
}

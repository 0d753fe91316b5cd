package io.movr.cache;

/**
 * A word, name, literal or symbol of a statement.
 *
 * @param text words in lower case, quoted names and strings without their quotes
 */
record Token(Kind kind, String text) {

    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        PARAMETER,
        SYMBOL
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equals(word);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    boolean isName() {
        return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
    }

    /** Returns whether it stands for a value that is known when the statement is executed. */
    boolean isOperand() {
        return kind == Kind.PARAMETER || kind == Kind.STRING || kind == Kind.NUMBER;
    }
}

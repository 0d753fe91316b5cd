package io.movr;

import java.util.Locale;

/**
 * Text without terminal control characters and without characters that change the direction of text. Names in files, titles,
 * roles and server messages come from other people, so such a character is shown as its JSON escape.
 */
public final class PrintableText {

    private PrintableText() {}

    /** Returns the text with escapes; line ends and tabs are kept. */
    public static String of(String text) {
        if (text.chars().noneMatch(character -> acts((char) character))) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            boolean endsLine = character == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n';
            if (acts(character) && !endsLine) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                escaped.append(character);
            }
        }
        return escaped.toString();
    }

    /** Returns the text in one line. */
    public static String ofLine(String text) {
        return of(text.replaceAll("\\R", " ").replace('\t', ' '));
    }

    private static boolean acts(char character) {
        if (character == '\n' || character == '\t') {
            return false;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            // Marks, embeddings, overrides and isolates of the direction of text.
            case Character.FORMAT ->
                character == '\u061c'
                        || (character >= '\u200e' && character <= '\u200f')
                        || (character >= '\u202a' && character <= '\u202e')
                        || (character >= '\u2066' && character <= '\u2069');
            default -> false;
        };
    }
}

package io.movr.cli;

import io.movr.PrintableText;
import java.io.PrintWriter;

/** Standard output or standard error. Control characters in its text are printed as escapes, so that a text from a database cannot
 * control the terminal. */
final class PrintableWriter extends PrintWriter {

    private PrintableWriter(PrintWriter out) {
        super(out);
    }

    static PrintableWriter of(PrintWriter out) {
        return out instanceof PrintableWriter already ? already : new PrintableWriter(out);
    }

    /** Prints text with control sequences of the program, such as colours. */
    static void printRaw(PrintWriter out, String text) {
        if (out instanceof PrintableWriter printable) {
            printable.writeRaw(text);
        } else {
            out.write(text);
        }
    }

    private void writeRaw(String text) {
        super.write(text, 0, text.length());
    }

    @Override
    public void write(int character) {
        write(String.valueOf((char) character));
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        write(new String(characters, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        writeRaw(PrintableText.of(text.substring(offset, offset + length)));
    }

    @Override
    public void println() {
        super.println();
        flush();
    }
}

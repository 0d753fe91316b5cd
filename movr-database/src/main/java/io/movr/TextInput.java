package io.movr;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * A text file that another program wrote: in UTF-8 or UTF-16, with or without a byte-order mark, compressed by gzip or not. Its
 * first bytes decide, not its name.
 */
public final class TextInput {

    /** The maximum size of an uncompressed file, because a small compressed file can expand without end. */
    private static final long MAX_UNPACKED_BYTES = 4L << 30;

    private static final int HEAD = 4;

    private TextInput() {}

    /**
     * Opens a file.
     *
     * @throws UserError if it is no file of text: a folder, a pipe, a device or an archive
     */
    public static BufferedReader open(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UserError(file + " is " + (Files.isDirectory(file) ? "a folder" : "a pipe or a device")
                    + ", not a file that ends: name a regular file");
        }
        BufferedInputStream stream = new BufferedInputStream(Files.newInputStream(file));
        try {
            byte[] head = head(stream);
            if (at(head, 0) == 'P' && at(head, 1) == 'K' && at(head, 2) == 3 && at(head, 3) == 4) {
                throw new UserError(file + " is a ZIP archive: unpack it and name the file in it");
            }
            if (at(head, 0) == 0x1f && at(head, 1) == 0x8b) {
                stream = new BufferedInputStream(new Limited(file, new GZIPInputStream(stream)));
                head = head(stream);
            }
            Charset charset = charset(head);
            stream.skipNBytes(markLength(head));
            return new BufferedReader(new InputStreamReader(stream, charset));
        } catch (IOException | RuntimeException failed) {
            stream.close();
            throw failed;
        }
    }

    private static byte[] head(BufferedInputStream stream) throws IOException {
        stream.mark(HEAD);
        byte[] head = stream.readNBytes(HEAD);
        stream.reset();
        return head;
    }

    private static int at(byte[] head, int index) {
        return index < head.length ? head[index] & 0xff : -1;
    }

    private static Charset charset(byte[] head) {
        int first = at(head, 0);
        int second = at(head, 1);
        // Without a mark, the zero bytes of ASCII characters show the encoding.
        if ((first == 0xff && second == 0xfe) || (first > 0 && second == 0 && at(head, 3) <= 0)) {
            return StandardCharsets.UTF_16LE;
        }
        return (first == 0xfe && second == 0xff) || (first == 0 && second > 0)
                ? StandardCharsets.UTF_16BE
                : StandardCharsets.UTF_8;
    }

    private static int markLength(byte[] head) {
        int first = at(head, 0);
        int second = at(head, 1);
        if (first == 0xef && second == 0xbb && at(head, 2) == 0xbf) {
            return 3;
        }
        return (first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff) ? 2 : 0;
    }

    /** A stream that fails when it exceeds the maximum size. */
    private static final class Limited extends FilterInputStream {

        private final Path file;
        private long left = MAX_UNPACKED_BYTES;

        Limited(Path file, InputStream in) {
            super(in);
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int number = super.read(bytes, offset, length);
            count(Math.max(0, number));
            return number;
        }

        private void count(int number) {
            left -= number;
            if (left < 0) {
                throw new UserError(file + " holds more than " + (MAX_UNPACKED_BYTES >> 30)
                        + " GB when it is uncompressed: name a smaller file, or uncompress it yourself");
            }
        }
    }
}

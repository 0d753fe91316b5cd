package io.movr.report.render;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Texts that are in the jar. */
public final class Resources {

    private Resources() {}

    /**
     * Returns a text.
     *
     * @param folder what a relative name is relative to, such as {@code /io/movr/report/}
     * @param name a path, absolute or relative
     */
    public static String text(String folder, String name) {
        String path = name.startsWith("/") ? name : folder + name;
        try (InputStream stream = Resources.class.getResourceAsStream(path)) {
            if (stream == null) {
                throw new IllegalStateException(path + " is missing from the jar");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new IllegalStateException(path + " cannot be read", failed);
        }
    }
}

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
     * @param name its path, absolute or relative to {@code io/movr/report}
     */
    public static String text(String name) {
        String path = name.startsWith("/") ? name : "/io/movr/report/" + name;
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

package io.movr.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The files of the console's pages. */
final class Pages {

    private static final String UPLOT =
            "/META-INF/resources/webjars/uplot/" + text("uplot.version").strip() + "/";
    private static final List<String> STYLES = List.of("uplot.css", "console.css");
    private static final List<String> SCRIPTS = List.of("uplot.js", "charts.js", "console.js", "tour.js");

    /** Where each file is in the jar, by its name at the server. */
    private static final Map<String, String> FILES = Map.of(
            "", "console.html",
            "console.css", "console.css",
            "charts.js", "charts.js",
            "console.js", "console.js",
            "tour.js", "tour.js",
            "ride", "ride.html",
            "ride.js", "ride.js",
            "uplot.css", UPLOT + "dist/uPlot.min.css",
            "uplot.js", UPLOT + "dist/uPlot.iife.min.js",
            "uplot-licence.txt", UPLOT + "LICENSE");

    private Pages() {}

    static Iterable<String> names() {
        return FILES.keySet();
    }

    static String file(String name) {
        String resource = FILES.get(name);
        if (resource == null) {
            throw new IllegalArgumentException(name);
        }
        return text(resource);
    }

    static String type(String name) {
        return name.endsWith(".css")
                ? "text/css"
                : name.endsWith(".js") ? "text/javascript" : name.endsWith(".txt") ? "text/plain" : "text/html";
    }

    /** The page with everything inside that it needs, and a recording to show. */
    static String standalone(String events) {
        String page = file("");
        for (String style : STYLES) {
            page = page.replace(
                    "<link rel=\"stylesheet\" href=\"" + style + "\">", "<style>\n" + file(style) + "</style>");
        }
        for (String script : SCRIPTS) {
            page = page.replace("<script src=\"" + script + "\"></script>", "<script>\n" + file(script) + "</script>");
        }
        return page.replace(
                        "<meta charset=\"utf-8\">",
                        "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\""
                                + " content=\"default-src 'none'; style-src 'unsafe-inline'; script-src"
                                + " 'unsafe-inline'; img-src data:\">")
                .replace(
                        "<!--RECORDING-->",
                        "<script type=\"application/json\" id=\"recording\">" + events.replace("<", "\\u003c")
                                + "</script>");
    }

    private static String text(String resource) {
        try (InputStream stream = Pages.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("The console's part " + resource + " is missing from the jar");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new IllegalStateException("The console's part " + resource + " cannot be read", failed);
        }
    }
}

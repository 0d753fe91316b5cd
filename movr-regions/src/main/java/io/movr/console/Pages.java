package io.movr.console;

import io.movr.report.render.Resources;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files of the console's pages. */
final class Pages {

    private static final String UPLOT =
            "/META-INF/resources/webjars/uplot/" + text("uplot.version").strip() + "/";
    private static final List<String> STYLES = List.of("uplot.css", "console.css");
    private static final List<String> SCRIPTS = List.of("uplot.js", "charts.js", "console.js", "tour.js");

    /** The resource of each file by its name on the server. */
    private static final Map<String, String> FILES = Map.ofEntries(
            Map.entry("", "console.html"),
            Map.entry("console.css", "console.css"),
            Map.entry("charts.js", "charts.js"),
            Map.entry("console.js", "console.js"),
            Map.entry("tour.js", "tour.js"),
            Map.entry("ride", "ride.html"),
            Map.entry("ride.js", "ride.js"),
            Map.entry("uplot.css", UPLOT + "dist/uPlot.min.css"),
            Map.entry("uplot.js", UPLOT + "dist/uPlot.iife.min.js"),
            Map.entry("uplot-licence.txt", UPLOT + "LICENSE"));

    private Pages() {}

    /** Returns the names of all files on the server. */
    static Set<String> names() {
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

    /** Returns the page as a single file with all styles and scripts, and with a recording. */
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
        return Resources.text("/io/movr/console/", resource);
    }
}

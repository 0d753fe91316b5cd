package io.movr.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Prints which tests the build has skipped, and why, from the reports that it has written in all modules. */
final class SkippedTests {

    private SkippedTests() {}

    /**
     * Reads the reports below a folder.
     *
     * @param arguments the project's root, when the build began (ISO 8601), and the tag that it left out, null if none
     */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        Instant begun = Instant.parse(arguments[1]);
        Map<String, Set<String>> testsByReason = new TreeMap<>();
        int run = 0;
        try (Stream<Path> files = Files.find(
                root,
                6,
                (file, attributes) -> isReport(file)
                        && !attributes.lastModifiedTime().toInstant().isBefore(begun))) {
            for (Path report : files.toList()) {
                run += read(report, testsByReason);
            }
        }
        int skipped = testsByReason.values().stream().mapToInt(Set::size).sum();
        System.out.println("[INFO] " + (run - skipped) + " tests have run in all modules, " + skipped
                + (skipped == 0 ? " were skipped." : " were skipped:"));
        testsByReason.forEach((reason, tests) -> {
            System.out.println("[WARNING]   " + reason);
            tests.forEach(test -> System.out.println("[WARNING]     " + test));
        });
        // Maven passes null for an empty argument.
        if (arguments[2] != null) {
            System.out.println(
                    "[INFO] Tests tagged '" + arguments[2] + "' are not part of this: ./mvnw verify -P" + arguments[2]);
        }
    }

    private static boolean isReport(Path file) {
        Path folder = file.getParent();
        return folder != null
                && folder.getFileName().toString().matches("(surefire|failsafe)-reports.*")
                && file.getFileName().toString().matches("TEST-.*\\.xml");
    }

    private static int read(Path report, Map<String, Set<String>> testsByReason)
            throws IOException, ParserConfigurationException, SAXException {
        Document document =
                DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile());
        NodeList cases = document.getElementsByTagName("testcase");
        for (int index = 0; index < cases.getLength(); index++) {
            Element test = (Element) cases.item(index);
            NodeList skipped = test.getElementsByTagName("skipped");
            if (skipped.getLength() > 0) {
                Element reason = (Element) skipped.item(0);
                // Of a dynamic test that gave up, it stands in the stack trace.
                String message = (reason.hasAttribute("message")
                                ? reason.getAttribute("message")
                                : reason.getTextContent().lines().findFirst().orElse(""))
                        .replaceFirst("^(\\S*Exception: )?Assumption failed: ", "")
                        .strip();
                String name =
                        test.getAttribute("classname").replaceFirst("^.*\\.", "") + "." + test.getAttribute("name");
                testsByReason
                        .computeIfAbsent(message.isEmpty() ? "no reason given" : message, first -> new TreeSet<>())
                        .add(name);
            }
        }
        return cases.getLength();
    }
}

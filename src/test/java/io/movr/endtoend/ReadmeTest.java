package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import io.movr.endtoend.MovrProgram.Serving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every command that the README, the tutorial and the page of the API show, in their order, the long ones at the smallest scale. */
@Tag("full")
class ReadmeTest {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path folder;

    @Test
    void everyCommandThatIsShownRuns() throws Exception {
        MovrProgram movr = new MovrProgram(folder);
        List<List<String>> commands = commands();
        assertThat(commands).hasSizeGreaterThan(5);
        Set<List<String>> labs = new HashSet<>();
        for (List<String> command : commands) {
            if (command.get(0).equals("serve")) {
                serves(movr, command.subList(1, command.size()));
                continue;
            }
            List<String> words = quick(command);
            if (words.get(0).equals("lab") && !labs.add(words)) {
                // Another one but for its scale.
                continue;
            }
            Ended ended = movr.run(words, "");
            assertThat(ended.code()).as(command + ": " + ended.error()).isZero();
        }
    }

    private static void serves(MovrProgram movr, List<String> options) throws Exception {
        List<String> words = new ArrayList<>(options);
        int port = words.indexOf("--http-port");
        if (port >= 0) {
            words.subList(port, port + 2).clear();
        }
        try (Serving serving = movr.serve(words.toArray(String[]::new))) {
            assertThat(serving.root()).startsWith("http://");
        }
    }

    private static List<List<String>> commands() throws IOException {
        List<List<String>> commands = new ArrayList<>();
        boolean shell = false;
        List<String> lines = new ArrayList<>();
        for (String page : List.of("README.md", "docs/tutorial.md", "docs/api.md")) {
            lines.addAll(Files.readAllLines(MovrProgram.ROOT.resolve(page)));
        }
        for (String line : lines) {
            if (line.startsWith("```")) {
                shell = line.equals("```sh");
            } else if (shell && line.startsWith("./movr ")) {
                commands.add(words(line.substring("./movr ".length())));
            }
        }
        return commands;
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find() && !matcher.group().startsWith("#")) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }

    private static List<String> quick(List<String> command) {
        List<String> words = new ArrayList<>(command);
        int scale = words.indexOf("--scale");
        if (scale >= 0) {
            words.subList(scale, scale + 2).clear();
        }
        if (words.get(0).equals("lab")) {
            words.addAll(List.of("--scale", "tiny", "--out", "results-of-test"));
            if (!words.contains("--samples")) {
                words.addAll(List.of("--samples", "30"));
            }
            if (!words.contains("--only")) {
                // All of them are measured by LabTest.
                words.addAll(List.of("--only", "pk-lookup,bulk-insert,geo-write-new-york"));
            }
        } else if (words.get(0).equals("bench")) {
            // The others of its class call the same query.
            words.set(1, words.get(1) + ".repository");
            words.addAll(List.of("--scale", "tiny", "--rounds", "1", "--warm-up", "0.4", "--out", "results-of-test"));
        } else if (words.get(0).equals("load")) {
            words.addAll(List.of("--scale", "tiny"));
        }
        return words;
    }
}

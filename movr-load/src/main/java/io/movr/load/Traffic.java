package io.movr.load;

import io.gatling.app.Gatling$;
import io.movr.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the simulation in this process, without Maven: settings are system properties, or those of a properties file that
 * is the only argument, and system properties win. Ends with 0 if all assertions about the run held, with 2
 * if one did not, and with 1 if there was no such run.
 */
public final class Traffic {

    private static final int ASSERTIONS_FAILED = 2;

    private Traffic() {}

    /** Runs it; the argument is a properties file, or there is none. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs the simulation as {@link #main} does, and returns the exit code. It can run once in a process: Gatling leaves its
     * logging stopped.
     */
    static int run(String... arguments) {
        PrintStream console = System.out;
        try {
            Path out = settle(arguments);
            Path log = Files.createDirectories(out).resolve("gatling.log");
            int code;
            try (PrintStream file = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
                System.setOut(file);
                code = Gatling$.MODULE$.fromArgs(new String[] {
                    "--simulation",
                    TrafficSimulation.class.getName(),
                    "--results-folder",
                    out.resolve("gatling").toString()
                });
            } finally {
                System.setOut(console);
            }
            Path summary = out.resolve("summary.json");
            if (Files.exists(summary)) {
                Verdict.sentences(JsonMapper.shared().readTree(Files.readString(summary)))
                        .forEach(console::println);
            }
            console.println("The run is in " + out);
            return code == 0 || code == ASSERTIONS_FAILED ? code : 1;
        } catch (UserError refused) {
            System.err.println(refused.getMessage());
            return 1;
        } catch (IOException failed) {
            System.err.println("The run cannot be kept: " + UserError.firstLine(failed));
            return 1;
        }
    }

    /** Makes the settings system properties, where Gatling's simulation finds them, and says where the run goes. */
    private static Path settle(String... arguments) throws IOException {
        Properties file = new Properties();
        if (arguments.length > 1) {
            throw new UserError("Give one properties file or none; single settings are -Dname=value");
        }
        if (arguments.length == 1) {
            try (BufferedReader reader = Files.newBufferedReader(Path.of(arguments[0]))) {
                file.load(reader);
            } catch (IOException failed) {
                throw new UserError("Cannot read " + arguments[0] + ": " + UserError.firstLine(failed), failed);
            }
        }
        Settings settings = Settings.of(name -> System.getProperty(name, file.getProperty(name)));
        TreeSet<String> unknown = new TreeSet<>(file.stringPropertyNames());
        unknown.removeAll(settings.shown().keySet());
        if (!unknown.isEmpty()) {
            throw new UserError(arguments[0] + " sets " + String.join(", ", unknown) + ", which is nothing: there are "
                    + String.join(", ", settings.shown().keySet()));
        }
        file.stringPropertyNames().forEach(name -> setUnlessSet(name, file.getProperty(name)));
        setUnlessSet("out", settings.out().toString());
        setUnlessSet("logback.configurationFile", "io/movr/load/logging.xml");
        setUnlessSet("java.util.prefs.PreferencesFactory", InMemoryPreferences.class.getName());
        return settings.out();
    }

    private static void setUnlessSet(String name, String value) {
        if (System.getProperty(name) == null) {
            System.setProperty(name, value);
        }
    }
}

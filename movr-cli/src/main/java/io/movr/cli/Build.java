package io.movr.cli;

import io.movr.environment.Program;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit of the program. */
final class Build implements IVersionProvider {

    static String version() {
        return properties().getProperty("git.build.version", "unknown");
    }

    /** Returns the commit of the build, with the suffix -dirty if files differed from it. */
    static String commit() {
        Properties properties = properties();
        String commit = properties.getProperty("git.commit.id.abbrev", "unknown");
        return properties.getProperty("git.dirty", "false").equals("true") ? commit + "-dirty" : commit;
    }

    static Program program() {
        return new Program(version(), commit());
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "movr " + version() + " (commit " + commit() + ")",
            "Java " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vm.name") + ", "
                    + System.getProperty("java.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }

    private static Properties properties() {
        Properties properties = new Properties();
        try (InputStream stream = Build.class.getResourceAsStream("build.properties")) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException unreadable) {
            throw new IllegalStateException("build.properties cannot be read", unreadable);
        }
        return properties;
    }
}

package io.movr.database;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The machine that this program runs on. */
public final class Machine {

    private Machine() {}

    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    public static long memoryBytes() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getTotalMemorySize();
    }

    public static String os() {
        return String.join(
                " ", System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("os.arch"));
    }

    public static String java() {
        return System.getProperty("java.runtime.version") + " " + System.getProperty("java.vm.name");
    }

    /** Returns the program that runs this virtual machine, to start another one of the same. */
    public static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the processor's model where the system tells it, otherwise its architecture. */
    public static String processor() {
        Path description = Path.of("/proc/cpuinfo");
        if (Files.isReadable(description)) {
            try (Stream<String> lines = Files.lines(description)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElse(System.getProperty("os.arch"));
            } catch (IOException unreadable) {
                return System.getProperty("os.arch");
            }
        }
        String windows = System.getenv("PROCESSOR_IDENTIFIER");
        return windows == null ? System.getProperty("os.arch") : windows;
    }
}

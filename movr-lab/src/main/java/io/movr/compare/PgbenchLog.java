package io.movr.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of transactions that pgbench writes with {@code -l}, with the logs of its other threads, in the same folder. A log may
 * hold a sample of the transactions only, so no rate is taken from it.
 */
final class PgbenchLog implements ResultFormat {

    private static final Pattern LINE = Pattern.compile("\\d+ \\d+ (\\d+|[a-z_]+) (\\d+) \\d{9,} \\d{1,6}( \\d+)*");
    private static final Pattern BEGINNING = Pattern.compile("\\A\\s*" + LINE.pattern() + "\\s*(\\R|\\z)[\\s\\S]*");
    private static final Pattern THREAD = Pattern.compile("(.*\\.\\d+)\\.\\d+");
    private static final double MICROSECONDS = 1e3;

    @Override
    public String name() {
        return "a log of pgbench";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).matches();
    }

    @Override
    public FileContent read(TextFile file) {
        Map<Integer, Histogram> scripts = new TreeMap<>();
        Map<String, Integer> without = new TreeMap<>();
        TreeSet<String> clients = new TreeSet<>();
        for (Path thread : withFurtherThreads(file.path())) {
            TextFile log = new TextFile(thread);
            log.read(lines -> {
                lines.map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
                    Matcher transaction = LINE.matcher(line);
                    if (!transaction.matches()) {
                        throw log.cutOff("a whole transaction in the line '" + line.strip() + "'");
                    }
                    clients.add(thread + " " + line.substring(0, line.indexOf(' ')));
                    if (Character.isDigit(transaction.group(1).charAt(0))) {
                        scripts.computeIfAbsent(Integer.valueOf(transaction.group(2)), script -> new Histogram())
                                .add(Math.max(1, Long.parseLong(transaction.group(1))) / MICROSECONDS, 1);
                    } else {
                        without.merge(transaction.group(1), 1, Integer::sum);
                    }
                });
                return null;
            });
        }
        RunFigures run = new RunFigures(file.path(), Map.of("clients", Integer.toString(clients.size())));
        without.forEach((what, number) -> run.warn(number + " transactions without a latency (" + what + ")."));
        scripts.forEach((script, latencies) -> run.addLatencies("script " + script, latencies));
        return run.content();
    }

    /** Returns a log and the logs of the other threads of its run, such as {@code pgbench_log.7} and {@code pgbench_log.7.1}. */
    static List<Path> withFurtherThreads(Path log) {
        List<Path> threads = new ArrayList<>(List.of(log));
        if (log.getFileName().toString().matches(".*\\.\\d+")) {
            Path next = log.resolveSibling(log.getFileName() + ".1");
            for (int thread = 2; Files.isRegularFile(next); thread++) {
                threads.add(next);
                next = log.resolveSibling(log.getFileName() + "." + thread);
            }
        }
        return threads;
    }

    /** Returns whether a log is read with another one of these. */
    static boolean isFurtherThread(Path log, Collection<Path> all) {
        Matcher name = THREAD.matcher(log.getFileName().toString());
        return name.matches() && all.contains(log.resolveSibling(name.group(1)));
    }
}

package io.movr.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What pgbench prints: the rate, the latency and its deviation, of all scripts and of each, and with {@code -r} the latency of
 * each statement. A file may hold the output of several runs.
 */
final class PgbenchOutput implements ResultFormat {

    private static final String START = "transaction type: ";
    private static final Pattern BEGINNING =
            Pattern.compile("(?m)^\\s*(transaction type: |pgbench \\(|progress: [\\d.]+ s, [\\d.]+ tps, lat )");
    private static final Pattern VERSION = Pattern.compile("pgbench \\(.*");
    private static final Pattern FACT = Pattern.compile("(?:- )?([a-z ]+): (.+)");
    private static final Pattern LATENCY =
            Pattern.compile("(?:- )?latency (average|stddev)(?: =|:) ([\\d.]+) (us|ms|s)\\b(.*)");
    private static final Pattern RATE = Pattern.compile("tps = ([\\d.]+)(?: \\((\\w+) .*)?");
    private static final Pattern RATE_OF_SCRIPT = Pattern.compile("- \\d+ transactions \\(.*tps = ([\\d.]+)\\).*");
    private static final Pattern SCRIPT = Pattern.compile("SQL script \\d+: (.*)");
    private static final Pattern FAILED = Pattern.compile("number of failed transactions: ([1-9]\\d*)\\b.*");

    /** Counts that say what else happened to transactions, if they are above zero. */
    private static final Pattern COUNT = Pattern.compile(
            "(?:total )?number of (?:transactions (?:skipped|retried)|retries|(?:serialization|deadlock|other)\\b.*failures): [1-9].*");

    /** Of lines with figures, so that none is dropped silently. */
    private static final Pattern FIGURE =
            Pattern.compile("(?:- )?(?:latency|tps|rate limit schedule lag|number of transactions above)\\b.*");

    private static final Pattern NUMBER = Pattern.compile("\\s*([\\d.]+)\\s+(.*)");
    private static final Map<String, String> FACTS = Map.of(
            "scaling factor", "scale",
            "query mode", "query mode",
            "number of clients", "clients",
            "number of threads", Setup.THREADS,
            "maximum number of tries", "tries",
            "duration", "duration",
            "number of transactions per client", "transactions per client");
    private static final Set<Character> NO_STATEMENT = Set.of('\\', '-');
    private static final int MAX_STATEMENT_LENGTH = 48;

    @Override
    public String name() {
        return "the output of pgbench";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).find();
    }

    @Override
    public FileContent read(TextFile file) {
        RepeatedRuns runs = new RepeatedRuns();
        List<String> lines = file.lines();
        String version = "";
        int number = 0;
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at).strip();
            if (VERSION.matcher(line).matches()) {
                version = line;
            } else if (line.startsWith(START)) {
                int end = at + 1;
                while (end < lines.size() && !lines.get(end).strip().startsWith(START)) {
                    end++;
                }
                number++;
                runs.add(
                        number == 1 ? file.path().toString() : "run " + number + " in it",
                        new Run(file, version, at + 1).read(lines.subList(at, end)));
            }
        }
        if (number == 0) {
            throw file.cutOff("the summary that begins with '" + START.strip() + "'");
        }
        return runs.content(file.path().toString());
    }

    /** One run, while its lines are read. */
    private static final class Run {

        private final TextFile file;
        private final Map<String, String> setup = new LinkedHashMap<>();
        private final List<Figure> figures = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();
        private final Map<Integer, String> leftOut = new LinkedHashMap<>();
        private final int firstLine;
        private String script = "";
        private double rate = Double.NaN;
        private int statement;
        // How many numbers stand before a statement; 0 where no statements are listed.
        private int columns;

        private record Figure(String benchmark, String mode, Map<String, String> params, String unit, double value) {}

        Run(TextFile file, String version, int firstLine) {
            this.file = file;
            this.firstLine = firstLine;
            setup.put(Setup.PROGRAM, version);
        }

        FileContent read(List<String> lines) {
            String type = lines.get(0).strip().substring(START.length()).strip();
            script = type.equals("multiple scripts") ? "all scripts" : scriptName(type);
            String all = script;
            for (int at = 1; at < lines.size(); at++) {
                read(lines.get(at), firstLine + at);
            }
            if (Double.isNaN(rate)) {
                throw file.cutOff("the line 'tps = …' of pgbench");
            }
            RunFigures run = new RunFigures(file.path(), setup);
            run.addRate(all, rate);
            figures.forEach(figure -> run.add(figure.benchmark, figure.mode, figure.params, figure.unit, figure.value));
            warnings.forEach(run::warn);
            leftOut.forEach(run::leftOut);
            return run.content();
        }

        private void read(String line, int number) {
            String text = line.strip();
            Matcher rateOfAll = RATE.matcher(text);
            Matcher rateOfScript = RATE_OF_SCRIPT.matcher(text);
            Matcher latency = LATENCY.matcher(text);
            Matcher next = SCRIPT.matcher(text);
            Matcher fact = FACT.matcher(text);
            if (text.contains("statement latencies in milliseconds")) {
                columns = 1 + (text.contains("failures") ? 1 : 0) + (text.contains("retries") ? 1 : 0);
                statement = 0;
            } else if (next.matches()) {
                script = scriptName(next.group(1));
                columns = 0;
            } else if (rateOfAll.matches()) {
                // Until version 13 there are two, with and without the time of connecting.
                if (Double.isNaN(rate) || !"including".equals(rateOfAll.group(2))) {
                    rate = Double.parseDouble(rateOfAll.group(1));
                }
            } else if (rateOfScript.matches()) {
                add("thrpt", Map.of(), RunFigures.PER_SECOND, rateOfScript.group(1));
            } else if (latency.matches()) {
                add(
                        latency.group(1).equals("average") ? "avgt" : "stddev",
                        Map.of(),
                        latency.group(3) + "/op",
                        latency.group(2));
                if (!latency.group(4).isBlank()) {
                    warnings.add("line " + number + ": the latency is one '"
                            + latency.group(4).strip() + "'.");
                }
            } else if (columns > 0) {
                addStatement(line);
            } else if (FIGURE.matcher(text).matches()) {
                leftOut.put(number, text);
            } else if (fact.matches()) {
                String name = FACTS.get(fact.group(1));
                if (name != null) {
                    setup.put(name, fact.group(2));
                }
                Matcher failed = FAILED.matcher(text);
                if (failed.matches()) {
                    warnings.add(failed.group(1) + " transactions failed.");
                }
                if (COUNT.matcher(text).matches()) {
                    warnings.add("line " + number + ": " + text + ".");
                }
            }
            if (text.contains("results are incomplete")) {
                warnings.add("pgbench was aborted, and says that its results are incomplete.");
            }
        }

        private void addStatement(String line) {
            String rest = line;
            String milliseconds = "";
            for (int column = 0; column < columns; column++) {
                Matcher number = NUMBER.matcher(rest);
                if (!number.matches()) {
                    return;
                }
                milliseconds = column == 0 ? number.group(1) : milliseconds;
                rest = number.group(2);
            }
            String text = rest.strip();
            if (!text.isEmpty() && !NO_STATEMENT.contains(text.charAt(0))) {
                statement++;
                String brief = text.length() <= MAX_STATEMENT_LENGTH
                        ? text
                        : text.substring(0, MAX_STATEMENT_LENGTH - 1) + "…";
                add("avgt", Map.of("statement", statement + " " + brief), RunFigures.MILLISECONDS, milliseconds);
            }
        }

        private void add(String mode, Map<String, String> params, String unit, String value) {
            figures.add(new Figure(script, mode, params, unit, Double.parseDouble(value)));
        }

        /** Returns the file name of a script, because the same script may be in another folder. */
        private static String scriptName(String text) {
            return text.startsWith("<")
                    ? text.replaceFirst("<builtin: (.*)>", "$1")
                    : text.substring(text.lastIndexOf('/') + 1);
        }
    }
}

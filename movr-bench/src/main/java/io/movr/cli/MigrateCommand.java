package io.movr.cli;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr migrate}. */
@Command(
        name = "migrate",
        description = "Bring the schema to a tuning stage, or list the stages.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Stages go forward only. To go back, begin with an empty database.",
            "",
            "Examples:",
            "  movr migrate --list",
            "  movr migrate --stage covering-index",
            "  movr migrate --to latest --url \"jdbc:postgresql://localhost:5432/movr?user=me\""
        })
final class MigrateCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"--stage", "--to"},
            paramLabel = "STAGE",
            description = "The stage to reach, by name or version, or 'latest'.")
    private @Nullable String stage;

    @Option(names = "--list", description = "List the stages, what each changes, and when it was reached.")
    private boolean list;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        if (!list && stage == null) {
            throw new Refusal("Say where to: --stage NAME, --to latest, or --list to see the stages");
        }
        Optional<Stage> target = Optional.ofNullable(stage).map(Stage::named);
        try (Cluster cluster = database.kept()) {
            Schema schema = new Schema(cluster.engine(), cluster.gateway());
            if (target.isPresent()) {
                long begun = System.nanoTime();
                List<Stage> applied = schema.migrateTo(target.get());
                if (applied.isEmpty()) {
                    output.println("At stage " + target.get() + " already; nothing to do.");
                } else {
                    output.printf(
                            Locale.ROOT,
                            "At stage %s, by way of %s, in %s.%n",
                            target.get(),
                            String.join(", ", applied.stream().map(Stage::id).toList()),
                            Terminal.duration((System.nanoTime() - begun) / 1e9));
                }
            }
            if (list) {
                output.printf(Locale.ROOT, "%2s  %-21s %-20s %s%n", "V", "stage", "reached", "what it changes");
                for (Schema.Status status : schema.stages()) {
                    output.printf(
                            Locale.ROOT,
                            "%2d  %-21s %-20s %s%n",
                            status.stage().version(),
                            status.stage(),
                            status.appliedAt() == null ? "-" : TIME.format(status.appliedAt()),
                            status.stage().purpose());
                }
            }
            output.flush();
        }
        return 0;
    }
}

package io.movr.bench;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.lab.StageDatabases;
import io.movr.schema.Stage;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The databases of a run of benchmarks, one a stage, prepared once and shared by all forks. */
public final class BenchmarkDatabases implements AutoCloseable {

    /** Every machine gets the same rows. */
    public static final long SEED = 1;

    /** The system property by which Logback is told where its configuration is, and what forks are told. */
    static final String LOGGING = "logback.configurationFile";

    static final String LOGGING_FILE = "io/movr/cli/logging.xml";

    private final StageDatabases databases;
    private final Map<String, String> properties = new LinkedHashMap<>();

    /**
     * Loads the rows and makes a database for each stage; the stages that are written get another one for that.
     *
     * @throws io.movr.UserError when that cannot be done
     */
    public BenchmarkDatabases(
            Cluster cluster,
            String scale,
            int connections,
            Set<Stage> read,
            Set<Stage> written,
            LoadProgress progress,
            Consumer<String> step) {
        DatasetSpec rows = Scale.named(scale).spec(SEED);
        databases = new StageDatabases(cluster, rows, connections, read, written, progress, step);
        tell(scale, read, false);
        tell(scale, written, true);
    }

    private void tell(String scale, Collection<Stage> stages, boolean written) {
        for (Stage stage : stages) {
            properties.put(
                    property(scale, stage, written),
                    databases.at(stage, written).url());
        }
    }

    /** The options of a virtual machine that tell a fork where they are. */
    public List<String> jvmOptions() {
        return Stream.concat(Stream.of(Map.entry(LOGGING, LOGGING_FILE)), properties.entrySet().stream())
                .map(property -> "-D" + property.getKey() + "=" + property.getValue())
                .toList();
    }

    /** Tells benchmarks that run in this virtual machine where they are. */
    public void tellHere() {
        properties.forEach(System::setProperty);
    }

    /** One of them, for questions that all answer alike. */
    public Gateway any() {
        return databases.any();
    }

    @Override
    public void close() {
        databases.close();
    }

    /**
     * The database of a stage, asked for by a fork.
     *
     * @throws IllegalStateException when nobody prepared one
     */
    static Gateway prepared(String scale, Stage stage, boolean written) {
        String url = System.getProperty(property(scale, stage, written));
        if (url == null) {
            throw new IllegalStateException("No database was prepared for stage " + stage + " at scale " + scale
                    + ": run the benchmarks by 'movr bench' or 'java -jar benchmarks.jar'");
        }
        return new Gateway(url);
    }

    private static String property(String scale, Stage stage, boolean written) {
        return "movr.bench." + scale + "." + stage + (written ? ".written" : ".read");
    }
}

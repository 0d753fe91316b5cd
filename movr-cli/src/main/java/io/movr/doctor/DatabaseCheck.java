package io.movr.doctor;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Engine;
import io.movr.dataset.Invariants;
import io.movr.dataset.Invariants.Violation;
import io.movr.environment.Preflight;
import io.movr.environment.Requirements;
import io.movr.report.LabResults.Check;
import io.movr.schema.Schema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks of a database. */
public final class DatabaseCheck {

    private DatabaseCheck() {}

    /** Opens the database, and returns the checks of its version, settings, rights and rows. */
    public static List<Check> of(DatabaseSource database) {
        try (Cluster cluster = database.kept()) {
            List<Check> checks = new ArrayList<>();
            checks.add(new Check("version", "ok", cluster.version(), ""));
            if (cluster.embedded()) {
                checks.add(new Check(
                        "shell",
                        "ok",
                        cluster.engine().shell(cluster.gateway()),
                        cluster.path().isEmpty()
                                ? ""
                                : "this server ends with the command; movr serve prints the address of a running one"));
            }
            checks.addAll(Preflight.of(cluster.gateway()));
            if (cluster.engine() == Engine.POSTGRESQL) {
                checks.addAll(Requirements.of(cluster.gateway()));
            }
            checks.addAll(data(cluster));
            return checks;
        } catch (UserError refused) {
            return List.of(new Check(
                    "connection", "problem", UserError.firstLine(refused), "start it, or correct the address"));
        }
    }

    private static List<Check> data(Cluster cluster) {
        try {
            if (new Schema(cluster.engine(), cluster.gateway()).current().isEmpty()) {
                return List.of();
            }
        } catch (UserError another) {
            return List.of(new Check(
                    "data",
                    "warning",
                    UserError.firstLine(another),
                    "only 'movr experiment' works on such a database"));
        }
        try {
            List<Violation> violations = Invariants.violations(cluster.gateway());
            if (violations.isEmpty()) {
                return List.of(new Check("data", "ok", "no rule of MovR is violated", ""));
            }
            return violations.stream()
                    .map(violation -> new Check(
                            "data",
                            "warning",
                            String.format(Locale.ROOT, "%,d rows violate: %s", violation.rows(), violation.rule()),
                            "find the program that wrote them"))
                    .toList();
        } catch (SQLException failed) {
            return List.of(new Check(
                    "data", "unknown", UserError.firstLine(failed), "check whether the database can be read"));
        }
    }
}

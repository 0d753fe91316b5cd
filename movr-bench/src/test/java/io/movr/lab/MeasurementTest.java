package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.lab.Experiment.Side;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MeasurementTest {

    /** Whatever it is, nobody gets as far as to run it. */
    private static final Operation NEVER = new Operation() {
        @Override
        public List<Step> steps() {
            return List.of();
        }

        @Override
        public List<List<String>> run(Connection connection) {
            throw new AssertionError();
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) {
            throw new AssertionError();
        }
    };

    @Test
    void aSideThatCannotBeReachedLeavesNoConnectionOfTheOthers() throws Exception {
        TestDatabase database = TestDatabase.fresh();
        Gateway nobody = new Gateway("jdbc:postgresql://127.0.0.1:1/none");
        Experiment experiment = new Experiment(
                "x", "x", "x", List.of(), new Side("x", Stage.BASELINE, NEVER), new Side("y", Stage.BASELINE, NEVER));
        for (Place after : List.of(new Place(database.gateway(), nobody), new Place(nobody, database.gateway()))) {
            Measurement measurement = new Measurement(experiment, Place.at(database.gateway()), after);
            assertThatThrownBy(() -> measurement.take(null, done -> {})).isInstanceOf(UserError.class);
            assertThat(sessionsOfTheLab(database)).isZero();
        }
    }

    /** Once the server has noticed what was closed. */
    private static int sessionsOfTheLab(TestDatabase database) throws Exception {
        int sessions = -1;
        for (int look = 0; look < 100 && sessions != 0; look++) {
            Thread.sleep(20);
            sessions = Integer.parseInt(database.query("SELECT count(*) FROM pg_stat_activity WHERE datname = '"
                            + database.gateway().database() + "' AND application_name LIKE 'lab-%'")
                    .get(0));
        }
        return sessions;
    }
}

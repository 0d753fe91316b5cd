package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Rows;
import io.movr.dataset.Answers;
import io.movr.dataset.Scale;
import io.movr.published.PublishedFigures;
import io.movr.published.PublishedFigures.Figure;
import io.movr.report.LabResults;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class BuiltInExperimentsTest {

    private final PublishedFigures published = PublishedFigures.load();

    @Test
    void theExperimentsOfTheTutorialWerePublishedInBothEditions() {
        List<String> ofTutorial = BuiltInExperiments.ids().stream()
                .filter(id -> !published.of(id).isEmpty())
                .toList();
        assertThat(ofTutorial).hasSize(11);
        for (String id : ofTutorial) {
            assertThat(published.of(id)).extracting(Figure::source).containsExactly("tuning-en", "tuning-zh");
        }
    }

    @Test
    void thePrintedRatioIsThatOfThePrintedFigures() {
        for (String id : BuiltInExperiments.ids()) {
            for (Figure figure : published.of(id)) {
                assertThat(figure.before() / figure.after()).isCloseTo(figure.improvement(), within(0.01));
            }
        }
    }

    @Test
    void foldersAreWhatTheArchivedRunMeasured() throws IOException, SQLException {
        LabResults archived = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()
                .readValue(Path.of("..", "docs", "results", "2026-11-21-lab-tutorial.results.json"), LabResults.class);
        List<Experiment> all = BuiltInExperiments.of(BuiltInExperiments.ids(), new Answers(Scale.TINY.spec(1)));
        for (LabResults.Experiment before : archived.experiments().subList(0, 8)) {
            Experiment experiment = all.stream()
                    .filter(one -> one.id().equals(before.id()))
                    .findFirst()
                    .orElseThrow();
            // The archived title has the number of names of that scale.
            assertThat(experiment.title())
                    .isEqualTo(before.title().replace("179 names", "the names that begin with C"));
            assertThat(experiment.lesson()).isEqualTo(before.lesson());
            assertThat(experiment.notes()).isEqualTo(before.notes());
            assertThat(experiment.isBuiltIn()).isTrue();
            assertThat(experiment.published()).hasSize(2);
            if (before.id().equals("in-list")) {
                answerParameters(experiment.before().operation());
            }
            isThat(experiment.before(), before.before());
            isThat(experiment.after(), before.after());
        }
    }

    @Test
    void everyExperimentOfOneRegionIsAFolderAndTheyAreInTheOrderOfTheTutorial() {
        assertThat(BuiltInExperiments.ofOneRegion())
                .containsExactly(
                        "pk-lookup",
                        "name-index",
                        "covering-index",
                        "join-index",
                        "in-list",
                        "bulk-insert",
                        "unused-index",
                        "returning-id");
    }

    /** A query answers the values of its parameters. */
    private static void answerParameters(Operation operation) throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Connection connection = server.gateway().connect()) {
            Rows.execute(connection, "CREATE TABLE rides (vehicle_id UUID)");
            operation.prepare(connection);
        }
    }

    private static void isThat(Side side, LabResults.Side archived) {
        assertThat(side.label()).isEqualTo(archived.label());
        assertThat(side.contents().describe()).isEqualTo(archived.stage());
        assertThat(side.operation().steps()).extracting(Step::sql).isEqualTo(archived.statements());
        assertThat(side.operation().steps())
                .extracting(Step::expected)
                .isEqualTo(
                        archived.plans().stream().map(LabResults.Plan::expected).toList());
    }
}

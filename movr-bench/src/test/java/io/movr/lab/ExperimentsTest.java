package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.dataset.Answers;
import io.movr.dataset.Scale;
import io.movr.published.PublishedFigures;
import io.movr.published.PublishedFigures.Figure;
import io.movr.report.LabResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class ExperimentsTest {

    private final PublishedFigures published = PublishedFigures.load();

    @Test
    void everyExperimentWasPublishedInBothEditions() {
        for (String id : Experiments.ids()) {
            assertThat(published.of(id)).extracting(Figure::source).containsExactly("tuning-en", "tuning-zh");
        }
    }

    @Test
    void thePrintedRatioIsThatOfThePrintedFigures() {
        for (String id : Experiments.ids()) {
            for (Figure figure : published.of(id)) {
                assertThat(figure.before() / figure.after()).isCloseTo(figure.improvement(), within(0.01));
            }
        }
    }

    @Test
    void thoseOfFoldersAreWhatTheArchivedRunMeasured() throws IOException {
        LabResults archived = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build()
                .readValue(Path.of("..", "docs", "results", "2026-11-21-lab-tutorial.results.json"), LabResults.class);
        List<Experiment> all = Experiments.of(Experiments.ids(), new Answers(Scale.TINY.spec(1)));
        assertThat(all)
                .extracting(Experiment::id)
                .startsWith("pk-lookup", "name-index", "covering-index", "join-index");
        for (int index = 0; index < BuiltInFolders.all().size(); index++) {
            Experiment experiment = all.get(index);
            LabResults.Experiment before = archived.experiments().get(index);
            assertThat(experiment.id()).isEqualTo(before.id());
            assertThat(experiment.title()).isEqualTo(before.title());
            assertThat(experiment.lesson()).isEqualTo(before.lesson());
            assertThat(experiment.notes()).isEqualTo(before.notes());
            assertThat(experiment.own()).isNull();
            isThat(experiment.before(), before.before());
            isThat(experiment.after(), before.after());
        }
    }

    private static void isThat(Experiment.Side side, LabResults.Side archived) {
        assertThat(side.label()).isEqualTo(archived.label());
        assertThat(side.contents().describe()).isEqualTo(archived.stage());
        assertThat(side.operation().steps()).extracting(Step::sql).isEqualTo(archived.statements());
        assertThat(side.operation().steps())
                .extracting(Step::expected)
                .isEqualTo(
                        archived.plans().stream().map(LabResults.Plan::expected).toList());
    }
}

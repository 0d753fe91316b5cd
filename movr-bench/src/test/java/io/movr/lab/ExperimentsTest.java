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
    void thoseOfTheTutorialWerePublishedInBothEditions() {
        List<String> ofTutorial = Experiments.ids().stream()
                .filter(id -> !published.of(id).isEmpty())
                .toList();
        assertThat(ofTutorial).hasSize(11);
        for (String id : ofTutorial) {
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
        for (LabResults.Experiment before : archived.experiments().subList(0, 4)) {
            Experiment experiment = all.stream()
                    .filter(one -> one.id().equals(before.id()))
                    .findFirst()
                    .orElseThrow();
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

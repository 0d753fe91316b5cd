package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.published.PublishedFigures;
import io.movr.published.PublishedFigures.Figure;
import org.junit.jupiter.api.Test;

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
}

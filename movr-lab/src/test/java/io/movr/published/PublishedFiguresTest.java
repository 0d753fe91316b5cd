package io.movr.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.published.PublishedFigures.Figure;
import org.junit.jupiter.api.Test;

class PublishedFiguresTest {

    private final PublishedFigures published = PublishedFigures.load();

    @Test
    void rawSamplesGiveTheRatioOfMediansAndSingleRunsAreMarked() {
        Figure nameIndex = published.of("name-index").get(0);
        assertThat(published.ratioOfMedians(nameIndex).orElseThrow().estimate()).isCloseTo(2.56, within(0.01));
        assertThat(published.isSingleRun(nameIndex)).isFalse();
        // Two statements, their times added up: 3971 ms against 718 + 861 ms on average.
        Figure inList = published.of("in-list").get(0);
        assertThat(published.ratioOfMedians(inList).orElseThrow().estimate()).isCloseTo(2.5, within(0.1));
        for (String id : new String[] {"bulk-insert", "unused-index", "returning-id"}) {
            for (Figure figure : published.of(id)) {
                assertThat(published.isSingleRun(figure)).as(id).isTrue();
                assertThat(published.ratioOfMedians(figure)).as(id).isEmpty();
            }
        }
    }
}

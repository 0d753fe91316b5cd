package io.movr.report.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * A result as readers see it. Each command fills one; a terminal, Markdown, CSV and HTML have one renderer each.
 *
 * @param title of the page, plain text
 * @param heading the first heading of the page
 * @param lead the answer, in a sentence or two; empty if there is none
 * @param opening what stands before the first section, such as warnings and facts
 * @param sections in reading order
 * @param files the names of the files beside the page that hold the same numbers
 */
public record Report(
        String title, String heading, String lead, Section opening, List<Section> sections, List<String> files) {

    /** Returns the report with a block for a terminal and Markdown before all others. */
    public Report opened(Block first) {
        return new Report(title, heading, lead, opening.startingWith(first), sections, files);
    }

    /** Returns all blocks for a terminal and Markdown, in reading order. */
    public List<Block> inText() {
        return Stream.concat(Stream.of(opening), sections.stream())
                .flatMap(section -> section.inText().stream())
                .toList();
    }
}

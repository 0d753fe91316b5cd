package io.movr.report.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A result as readers see it. Each command fills one; a terminal, Markdown, CSV and HTML have one renderer each.
 *
 * @param title of the page, plain text
 * @param heading the first heading of the page
 * @param lead the answer, in a sentence or two; empty if there is none
 * @param opening what stands before the first section: warnings and facts
 * @param sections in reading order
 * @param files the names of the files beside the page that hold the same numbers
 */
public record Report(
        String title, String heading, String lead, List<Placed> opening, List<Section> sections, List<String> files) {

    /** Returns the report with a block for a terminal and Markdown before all others. */
    public Report opened(Block first) {
        List<Placed> blocks = new ArrayList<>(List.of(new Placed(first, Where.TEXT)));
        blocks.addAll(opening);
        return new Report(title, heading, lead, List.copyOf(blocks), sections, files);
    }

    /** Returns the blocks of the opening for the HTML page. */
    public List<Block> openingOnPage() {
        return shown(opening, Where::isOnPage);
    }

    /** Returns all blocks for a terminal and Markdown, in reading order. */
    public List<Block> inText() {
        List<Placed> all = new ArrayList<>(opening);
        sections.forEach(section -> all.addAll(section.blocks()));
        return shown(all, Where::isInText);
    }

    static List<Block> shown(List<Placed> blocks, Predicate<Where> isShown) {
        return blocks.stream()
                .filter(placed -> isShown.test(placed.where()))
                .map(Placed::block)
                .toList();
    }

    /** Where a block or a column is shown. */
    public enum Where {
        EVERYWHERE,
        /** On the HTML page only. */
        PAGE,
        /** In a terminal and in Markdown only. */
        TEXT;

        /** Returns whether the HTML page shows it. */
        public boolean isOnPage() {
            return this != TEXT;
        }

        /** Returns whether a terminal and Markdown show it. */
        public boolean isInText() {
            return this != PAGE;
        }
    }

    /** A block and the places that show it. */
    public record Placed(Block block, Where where) {}
}

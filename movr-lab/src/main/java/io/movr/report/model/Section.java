package io.movr.report.model;

import java.util.ArrayList;
import java.util.List;

/** A section of a report: a heading with blocks below it. A section without blocks is left out. */
public final class Section {

    private record Placed(Block block, Where where) {}

    private final String id;
    private final String heading;
    private final List<Placed> blocks = new ArrayList<>();

    /**
     * Creates a section without blocks.
     *
     * @param id the target of links within the page
     */
    public Section(String id, String heading) {
        this.id = id;
        this.heading = heading;
    }

    /** Returns a section without a heading, for what stands before all others. */
    public static Section opening() {
        return new Section("", "");
    }

    /** Adds a block for every renderer. */
    public Section add(Block block) {
        return add(block, Where.EVERYWHERE);
    }

    /** Adds a block for the HTML page only. */
    public Section addToPage(Block block) {
        return add(block, Where.PAGE);
    }

    /** Adds a block for a terminal and Markdown only. */
    public Section addToText(Block block) {
        return add(block, Where.TEXT);
    }

    private Section add(Block block, Where where) {
        if (!block.isEmpty()) {
            blocks.add(new Placed(block, where));
        }
        return this;
    }

    /** Returns a copy with a block for a terminal and Markdown before all others. */
    Section startingWith(Block first) {
        Section copy = new Section(id, heading).addToText(first);
        copy.blocks.addAll(blocks);
        return copy;
    }

    public String id() {
        return id;
    }

    public String heading() {
        return heading;
    }

    /** Returns the blocks for the HTML page. */
    public List<Block> onPage() {
        return blocks.stream()
                .filter(placed -> placed.where().isOnPage())
                .map(Placed::block)
                .toList();
    }

    /** Returns the blocks for a terminal and Markdown. */
    public List<Block> inText() {
        return blocks.stream()
                .filter(placed -> placed.where().isInText())
                .map(Placed::block)
                .toList();
    }
}

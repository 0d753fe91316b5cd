package io.movr.report.model;

import io.movr.report.model.Report.Placed;
import io.movr.report.model.Report.Where;
import java.util.ArrayList;
import java.util.List;

/** A section of a report: a heading with blocks below it. A section without blocks is left out. */
public final class Section {

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

    public String id() {
        return id;
    }

    public String heading() {
        return heading;
    }

    public List<Placed> blocks() {
        return List.copyOf(blocks);
    }

    /** Returns the blocks for the HTML page. */
    public List<Block> onPage() {
        return Report.shown(blocks, Where::isOnPage);
    }
}

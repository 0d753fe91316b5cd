package io.movr.report.model;

import java.util.List;

/** A part of a section. */
public sealed interface Block {

    /** Returns whether there is nothing to show. */
    boolean isEmpty();

    /** How a paragraph is set. */
    enum Tone {
        PLAIN,
        MUTED,
        WARNING,
        FAILURE
    }

    /** A paragraph. */
    record Text(String text, Tone tone) implements Block {

        public Text(String text) {
            this(text, Tone.PLAIN);
        }

        @Override
        public boolean isEmpty() {
            return text.isEmpty();
        }
    }

    /** A bulleted list. */
    record Bullets(List<Cell> items) implements Block {

        public static Bullets of(List<String> items) {
            return new Bullets(items.stream().map(Cell::of).toList());
        }

        @Override
        public boolean isEmpty() {
            return items.isEmpty();
        }
    }

    /** A term with its description. */
    record Pair(String term, Cell description) {

        public Pair(String term, String description) {
            this(term, Cell.of(description));
        }
    }

    /** How pairs are laid out on the page. */
    enum PairLayout {
        /** Side by side, the term small above its value. */
        FACTS,
        /** As a table of two columns. */
        TABLE,
        /** As a compact list of two columns. */
        LIST,
        /** As a glossary, each description below its term. */
        GLOSSARY
    }

    /** Terms with their descriptions. */
    record Pairs(String caption, PairLayout layout, List<Pair> pairs) implements Block {

        @Override
        public boolean isEmpty() {
            return pairs.isEmpty();
        }
    }

    /** Preformatted text. */
    record Code(String label, String text, boolean wraps) implements Block {

        @Override
        public boolean isEmpty() {
            return text.isEmpty();
        }
    }

    /** How a group is set on the page. */
    enum GroupLayout {
        /** A subsection. */
        PLAIN,
        /** A subsection with a rule above it. */
        RULED,
        /** The parts side by side where there is room. */
        COLUMNS,
        /** Collapsed until a reader opens it. */
        COLLAPSED
    }

    /**
     * Blocks below a heading of their own.
     *
     * @param id the target of links, empty if nothing links to it
     * @param heading empty for none
     */
    record Group(String id, Cell heading, GroupLayout layout, List<Block> blocks) implements Block {

        public Group(GroupLayout layout, List<Block> blocks) {
            this("", Cell.EMPTY, layout, blocks);
        }

        public Group(String heading, GroupLayout layout, List<Block> blocks) {
            this("", Cell.of(heading), layout, blocks);
        }

        @Override
        public boolean isEmpty() {
            return blocks.stream().allMatch(Block::isEmpty);
        }
    }

    /** How a table is laid out on the page. */
    enum TableLayout {
        PLAIN,
        /** On a narrow screen each row becomes a card. */
        CARDS,
        /** A reader can sort it by a column. */
        SORTABLE,
        /** Cells are coloured by their value, and columns are of equal width. */
        MATRIX
    }

    /**
     * A table. The first column names the rows.
     *
     * @param caption what it shows, in a few words
     * @param rows with a cell for each column
     */
    record Table(String caption, TableLayout layout, List<Column> columns, List<List<Cell>> rows) implements Block {

        public Table {
            for (List<Cell> row : rows) {
                if (row.size() != columns.size()) {
                    throw new IllegalArgumentException(
                            "A row of " + row.size() + " cells in a table of " + columns.size() + " columns: " + row);
                }
            }
        }

        @Override
        public boolean isEmpty() {
            return rows.isEmpty();
        }
    }

    /**
     * A chart with its caption. Its numbers are also in a table, a list or the files beside the page.
     *
     * @param label what it shows, for readers who do not see it
     */
    record Figure(String label, String caption, Chart chart) implements Block {

        @Override
        public boolean isEmpty() {
            return chart.isEmpty();
        }
    }
}

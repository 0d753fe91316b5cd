package io.movr.report.model;

import java.util.Arrays;
import java.util.List;

/**
 * A column of a table.
 *
 * @param group the heading that it shares with its neighbours, empty for none
 * @param heading with the unit of its numbers
 * @param isNumber whether its cells are numbers, which are set to the right
 */
public record Column(String group, String heading, boolean isNumber, Where where) {

    /** Returns a column of text. */
    public static Column text(String heading) {
        return new Column("", heading, false, Where.EVERYWHERE);
    }

    /** Returns a column of numbers. */
    public static Column number(String heading) {
        return new Column("", heading, true, Where.EVERYWHERE);
    }

    /** Returns columns from their headings, separated by {@code |}; a number sign marks a column of numbers. */
    public static List<Column> list(String headings) {
        return Arrays.stream(headings.split("\\|", -1))
                .map(String::strip)
                .map(heading -> heading.startsWith("#") ? number(heading.substring(1)) : text(heading))
                .toList();
    }

    /** Returns this column below a common heading. */
    public Column in(String common) {
        return new Column(common, heading, isNumber, where);
    }

    /** Returns this column for the HTML page only. */
    public Column onPage() {
        return new Column(group, heading, isNumber, Where.PAGE);
    }

    /** Returns the heading with that of its group, for renderers with one line of headings. */
    public String fullHeading() {
        return group.isEmpty() ? heading : group + " " + heading;
    }
}

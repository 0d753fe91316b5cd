package io.movr.lab;

/**
 * The scale of one of the experiments of a folder that is repeated on multiples of its rows.
 *
 * @param folder the name of the folder
 * @param factor how many times the rows there are
 * @param isLargest whether no other scale of the folder has more rows
 */
record DataScale(String folder, int factor, boolean isLargest) {

    /** What separates the name of the folder from the factor in the id of the experiment. */
    static final String SEPARATOR = "@";

    String id() {
        return folder + SEPARATOR + factor;
    }
}

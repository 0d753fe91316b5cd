package io.movr.lab;

import java.util.List;
import java.util.Set;

/**
 * The tables that an experiment of a folder uses.
 *
 * @param named the tables that the folder lists; their rows are counted, or those of all tables if none is listed
 * @param words the words of all SQL of the folder, the names of tables among them
 */
record TableNames(List<String> named, Set<String> words) {

    static final TableNames NONE = new TableNames(List.of(), Set.of());
}

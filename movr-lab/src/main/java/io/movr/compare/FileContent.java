package io.movr.compare;

import java.util.List;

/**
 * What a file holds.
 *
 * @param measured in the order of the file
 * @param warnings sentences
 */
record FileContent(List<Measured> measured, List<String> warnings) {}

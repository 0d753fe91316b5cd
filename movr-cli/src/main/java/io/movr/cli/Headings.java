package io.movr.cli;

/** The headings of the groups of options in a command's help. */
final class Headings {

    static final String DATABASE = "%nDatabase:%n";
    static final String ROWS = "%nRows:%n";
    static final String REGIONS = "%nRegions:%n";
    static final String MEASURING = "%nMeasuring:%n";
    static final String TRAFFIC = "%nTraffic:%n";
    static final String OUTPUT = "%nOutput:%n";

    private Headings() {}
}

package io.movr.environment;

/** What this program says of itself. */
public record Program(String version, String commit) {}

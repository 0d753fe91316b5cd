package io.movr.environment;

/** The version of this program. */
public record Program(String version, String commit) {}

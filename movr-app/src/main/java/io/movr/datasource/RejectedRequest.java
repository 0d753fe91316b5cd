package io.movr.datasource;

/** Marks an exception by which a transaction refuses what it was asked for: an answer, neither a failure nor a defect. */
public interface RejectedRequest {}

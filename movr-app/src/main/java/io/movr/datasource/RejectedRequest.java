package io.movr.datasource;

/** The marker of an exception by which a transaction refuses a request: an answer, not a failure. */
public interface RejectedRequest {}

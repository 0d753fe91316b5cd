package io.movr.database;

/** The stage that the schema is at, for whoever has to name it without knowing the stages. */
public interface SchemaStage {

    /** The stage's name as it was last seen, or {@code unknown}. */
    String name();
}

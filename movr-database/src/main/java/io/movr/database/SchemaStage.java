package io.movr.database;

/** The name of the current schema stage, for code that does not know the stages. */
public interface SchemaStage {

    /** Returns the stage's name as it was last seen, or {@code unknown}. */
    String name();
}

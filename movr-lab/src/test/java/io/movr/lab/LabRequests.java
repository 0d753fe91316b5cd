package io.movr.lab;

import io.movr.dataset.Scale;
import io.movr.environment.Program;
import java.nio.file.Path;
import java.util.List;

/** Requests of tests. */
final class LabRequests {

    private LabRequests() {}

    /**
     * Experiments of folders, with as few samples as there may be.
     *
     * @param seed of the rows, of the order of parameters and of samples of rows
     * @param parent of the folder of results
     */
    static LabRequest of(ExperimentFolders folders, long seed, Path parent) {
        return new LabRequest(
                folders.ids(),
                "tiny",
                Scale.TINY.spec(seed),
                2,
                30,
                parent.resolve("results"),
                false,
                false,
                null,
                new Program("test", "test"),
                List.of("./movr", "lab"),
                folders);
    }
}

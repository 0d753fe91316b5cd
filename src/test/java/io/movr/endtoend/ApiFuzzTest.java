package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Gateway;
import io.movr.dataset.Invariants;
import io.movr.endtoend.MovrProgram.Serving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Has schemathesis think up requests from the service's own description, valid ones and others. */
@Tag("full")
class ApiFuzzTest {

    private static final long LIMIT_MINUTES = 10;

    @TempDir
    private Path folder;

    @Test
    void nothingThatIsAskedIsADefectAndNoRuleIsBroken() throws Exception {
        assumeTrue(isThere(), "schemathesis is not on the path: pip install schemathesis");
        MovrProgram movr = new MovrProgram(folder);
        try (Serving serving = movr.serve()) {
            Path report = folder.resolve("schemathesis.txt");
            ProcessBuilder builder = new ProcessBuilder(List.of(
                            "schemathesis",
                            "run",
                            serving.root() + "/v3/api-docs",
                            "--checks=all",
                            // That a rider exists, or that a check digit is right, no schema can say.
                            "--exclude-checks=positive_data_acceptance",
                            "--max-examples=60",
                            "--seed=20180720",
                            "--no-color"))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(report.toFile());
            builder.environment().put("SCHEMATHESIS_HOOKS", "movr_hooks");
            builder.environment()
                    .put(
                            "PYTHONPATH",
                            MovrProgram.ROOT.resolve("src/test/resources").toString());
            builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
            Process fuzzing = builder.start();
            boolean ended = fuzzing.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            fuzzing.destroyForcibly();
            assertThat(ended).as("schemathesis did not end").isTrue();
            assertThat(fuzzing.exitValue()).as(Files.readString(report)).isZero();
            assertThat(Files.readString(report)).containsPattern("[1-9][0-9]{3,} generated");
            assertThat(Invariants.violations(new Gateway(serving.database()))).isEmpty();
        }
    }

    private static boolean isThere() throws InterruptedException {
        try {
            return new ProcessBuilder("schemathesis", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}

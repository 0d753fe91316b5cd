package io.movr.lab;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code experiment.yaml} of a folder. A list that the file leaves out is empty; what else it leaves out is {@code null} or
 * has a default.
 */
record ExperimentYaml(
        @JsonPropertyDescription("What is compared, in a line")
        String title,

        @JsonPropertyDescription("What it teaches, in a sentence or two") @Nullable
        String lesson,

        @JsonPropertyDescription("What a reader must know to judge the result")
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> notes,

        @JsonPropertyDescription(
                "MovR's rows of --scale at a stage, or at a stage for each side; leave it out if there is a seed.sql, or if --url names the database to copy")
        @Nullable
        BothSides seed,

        @JsonPropertyDescription(
                "Multiples of the rows that the experiment is repeated on, such as [1, 10, 100]: of seed.sql, which has :scale, or of MovR's rows; no copied database has any")
        List<Integer> scales,

        @JsonPropertyDescription("Versions of a schema to compare, instead of before.sql and after.sql") @Nullable
        Versions sides,

        @JsonPropertyDescription("Tables whose rows are counted for the report; all of them if it is left out")
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        List<String> tables,

        @JsonPropertyDescription("What distinguishes the sides, in a few words")
        Labels labels,

        @JsonPropertyDescription(
                "Whether all statements of a run are one transaction, or one that is rolled back, which measures no commit; false if it is left out")
        TransactionMode transaction,

        @JsonPropertyDescription(
                "provider:NAME, which runs the statements, checks what they write into MovR's rows and resets each run; the statements alone if it is left out")
        @Nullable
        String operation,

        @JsonPropertyDescription("What the plans and the answers must be")
        Expect expect,

        @JsonPropertyDescription("Ratios to compare the measured one with")
        List<Published> published,

        @JsonPropertyDescription(
                "Statements whose latency is measured on both sides as a part of the price of the change")
        List<Write> writes) {

    ExperimentYaml {
        notes = orEmpty(notes);
        scales = orEmpty(scales);
        tables = orEmpty(tables);
        labels = labels == null ? new Labels(null, null) : labels;
        transaction = transaction == null ? TransactionMode.PER_STATEMENT : transaction;
        expect = expect == null ? new Expect(new Plans(List.of(), List.of()), null) : expect;
        published = orEmpty(published);
        writes = orEmpty(writes);
    }

    private static <T> List<T> orEmpty(@Nullable List<T> values) {
        return values == null ? List.of() : List.copyOf(values);
    }

    /** A text for each side; one text alone is that of both sides. */
    record BothSides(String before, String after) {

        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        BothSides {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static BothSides of(String both) {
            return new BothSides(both, both);
        }

        boolean isSame() {
            return before.equals(after);
        }
    }

    /** Versions of migrations. */
    record Versions(
            @JsonPropertyDescription("The folder of Flyway's migrations, seen from this file")
            String migrations,

            @JsonPropertyDescription("A version of the migrations, as it stands in the name of its file")
            String before,

            @JsonPropertyDescription("A version of the migrations, as it stands in the name of its file")
            String after) {}

    /** What distinguishes the sides. */
    record Labels(
            @JsonPropertyDescription("What distinguishes the side before") @Nullable
            String before,

            @JsonPropertyDescription("What distinguishes the side after") @Nullable
            String after) {}

    /** What must be found. */
    record Expect(
            @JsonPropertyDescription("What the plan of each side must be")
            Plans plan,

            @JsonPropertyDescription(
                    "same (the default), any, a CSV file of the folder with the expected rows, or provider:NAME, which works rows of MovR out; or one for each side")
            @Nullable
            BothSides answer) {

        Expect {
            plan = plan == null ? new Plans(List.of(), List.of()) : plan;
        }
    }

    /** The lines on the plans of each side. */
    record Plans(
            @JsonPropertyDescription("Lines such as: full scan of orders; insert into orders; any plan")
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            List<String> before,

            @JsonPropertyDescription("Lines such as: index scan of orders by orders_customer_idx; any plan")
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            List<String> after) {

        Plans {
            before = orEmpty(before);
            after = orEmpty(after);
        }
    }

    /** A published ratio. */
    record Published(
            @JsonPropertyDescription("Time before over time after")
            Double ratio,

            @JsonPropertyDescription("Who published it") String source) {}

    /** A write that is measured in addition. */
    record Write(
            @JsonPropertyDescription("What results call it; each has its own")
            String name,

            @JsonPropertyDescription(
                    "The SQL that is measured, with parameters written :name; several statements end with semicolons")
            String statement,

            @JsonPropertyDescription(
                    "A CSV file of the folder with rows of parameters; those of the experiment if it is left out")
            @Nullable
            String parameters,

            @JsonPropertyDescription("The SQL that resets each run outside the measured time") @Nullable
            String reset,

            @JsonPropertyDescription(
                    "By how much it may become slower, such as 20%; the command fails if it is really slower by more")
            @JsonProperty("max-slowdown")
            @Nullable
            String maxSlowdown) {}
}

package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Validation by the schemas in {@code docs}. */
public final class Documented {

    public static final String RESULTS = "results.schema.json";

    static final Path DOCS = Path.of("..", "docs");

    private Documented() {}

    /** Requires that some JSON is valid. */
    public static void assertDescribes(String schema, String json) throws IOException {
        assertThat(schema(schema).validate(json, InputFormat.JSON)).isEmpty();
    }

    /** Requires that some JSON is invalid. */
    public static void assertRefuses(String schema, String json) throws IOException {
        assertThat(schema(schema).validate(json, InputFormat.JSON)).isNotEmpty();
    }

    private static Schema schema(String name) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(DOCS.resolve(name)), InputFormat.JSON);
    }
}

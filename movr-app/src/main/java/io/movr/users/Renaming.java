package io.movr.users;

import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** A request to rename a user. */
@Schema(name = "Renaming")
record Renaming(
        @NotNull @Text(max = 100) @Schema(example = "Natalie Brooks")
        String name) {}

package io.movr.users;

import io.movr.web.Text;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** A user's new name. */
@Schema(name = "Renaming")
record Renaming(
        @NotNull @Text(max = 100) @Schema(example = "Natalie Brooks")
        String name) {}

package io.movr.web;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.ElementType.RECORD_COMPONENT;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text written by a person: not only spaces, no control characters, and no unpaired surrogates. A missing value is checked by
 * {@code @NotNull}.
 */
@Retention(RUNTIME)
@Target({FIELD, METHOD, PARAMETER, RECORD_COMPONENT})
@Constraint(validatedBy = Text.Validator.class)
public @interface Text {

    /** The rule as a regular expression of JSON Schema, which cannot express unpaired surrogates. */
    String PATTERN = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u0020\\u007f-\\u00a0]"
            + "[^\\u0000-\\u001f\\u007f-\\u009f]*$";

    /** Returns the maximum length, in UTF-16 units. */
    int max();

    String message() default "must be 1 to {max} characters, without control characters, and not only spaces";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** The validator of the annotation. */
    final class Validator implements ConstraintValidator<Text, CharSequence> {

        private static final Pattern WORDS = Pattern.compile(PATTERN, Pattern.DOTALL);
        private static final Pattern UNPAIRED_SURROGATE = Pattern.compile("[\\ud800-\\udfff]");

        private int max;

        @Override
        public void initialize(Text text) {
            max = text.max();
        }

        @Override
        public boolean isValid(@Nullable CharSequence value, ConstraintValidatorContext context) {
            return value == null
                    || (value.length() <= max
                            && WORDS.matcher(value).matches()
                            && !UNPAIRED_SURROGATE.matcher(value).find());
        }
    }
}

package io.movr.users;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.ElementType.RECORD_COMPONENT;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.validator.constraints.LuhnCheck;

/** A credit card number: 12 to 19 digits (ISO/IEC 7812) whose last is the check digit of Luhn's formula. */
@Pattern(regexp = "[0-9]{12,19}")
@LuhnCheck
@ReportAsSingleViolation
@Retention(RUNTIME)
@Target({FIELD, METHOD, PARAMETER, RECORD_COMPONENT})
@Constraint(validatedBy = {})
public @interface CreditCard {

    String message() default "must be 12 to 19 digits without spaces, with a valid check digit";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}

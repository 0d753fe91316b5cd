package io.movr.web;

import java.util.Locale;
import org.springframework.http.HttpStatus;

/**
 * A kind of problem that clients can distinguish: a violated rule of the domain, or an error of the request itself. Its address
 * {@code /problems/<slug>} never changes once released (RFC 9457).
 */
public interface ProblemType {

    /** Returns the constant's name, from which the last part of its address is made. */
    String name();

    /** Returns the last part of its address, in lower case with hyphens. */
    default String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its usual status. */
    HttpStatus status();

    /** Returns its title, which is the same for each occurrence: the constant's name. */
    default String title() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns its meaning and what to do. */
    String explanation();

    default String address() {
        return "/problems/" + slug();
    }

    /** Returns the refusal of one request. */
    default Problem because(String detail) {
        return new Problem(this, status(), "", detail);
    }

    /** Returns the refusal of one request because of one of its parameters or fields. */
    default Problem because(String field, String detail) {
        return new Problem(this, status(), field, detail);
    }
}

package io.movr.web;

import java.util.Locale;
import org.springframework.http.HttpStatus;

/**
 * A kind of refusal that clients can tell apart: a rule of the domain that a request broke, or something about the
 * request itself. Its address {@code /problems/<slug>} never changes once released (RFC 9457).
 */
public interface ProblemType {

    /** Returns the constant's name, from which the last part of its address is made. */
    String name();

    /** Returns the last part of its address, in lower case with hyphens. */
    default String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the status that it is usually answered with. */
    HttpStatus status();

    /** Returns what it is, in a few words that are the same each time: the constant's name. */
    default String title() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns what it means and what to do about it. */
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

package io.movr.lab;

/** A wrong answer or a wrong plan: what was timed is not what the experiment is about. */
final class WrongResult extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongResult(String message) {
        super(message);
    }
}

package io.movr.database;

/** Closes several resources, even if closing one of them fails. */
public final class Closeables {

    private Closeables() {}

    /**
     * The function that closes one resource.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    public interface Closing<T, E extends Exception> {
        void close(T one) throws E;
    }

    /**
     * Closes all, in their order.
     *
     * @throws E the first failure, once all have been closed; later ones are suppressed in it
     */
    public static <T, E extends Exception> void closeAll(
            Iterable<? extends T> all, Closing<? super T, ? extends E> closing) throws E {
        Exception first = null;
        for (T one : all) {
            try {
                closing.close(one);
            } catch (Exception failed) {
                if (first == null) {
                    first = failed;
                } else if (first != failed) {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (first != null) {
            @SuppressWarnings("unchecked") // Nothing else is thrown by it.
            E checked = (E) first;
            throw checked;
        }
    }

    /**
     * Closes a resource after a failure. A failure to close it is added to the first one as suppressed.
     *
     * @return the failure, to be thrown
     */
    public static <F extends Throwable> F closeAfter(F failure, AutoCloseable unfinished) {
        try {
            unfinished.close();
        } catch (Exception failed) {
            if (failed != failure) {
                failure.addSuppressed(failed);
            }
        }
        return failure;
    }
}

package io.movr.load;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Idempotency keys of one run, such as {@code load-3f2a9c1e07b4-12}: a prefix by which the run's rows are found, and a number.
 * They are not drawn by the run's seed, because the service remembers those of earlier runs.
 */
final class Keys {

    private final String prefix;
    private final AtomicLong last = new AtomicLong();

    Keys() {
        prefix = String.format(Locale.ROOT, "load-%012x-", new SecureRandom().nextLong() & 0xFFFF_FFFF_FFFFL);
    }

    String next() {
        return prefix + last.incrementAndGet();
    }

    /** Returns the prefix of all keys of a key's run. */
    static String prefixOf(String key) {
        return key.substring(0, key.lastIndexOf('-') + 1);
    }
}

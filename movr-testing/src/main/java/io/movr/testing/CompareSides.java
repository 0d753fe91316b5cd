package io.movr.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that fails if one side is slower than another by more than a bound. Its method takes {@link Sides} as a parameter, and
 * calls {@link Sides#compare}.
 *
 * <p>The test has three results. It fails if the whole 95% interval of the slowdown is above the bound, and passes if the whole
 * interval is not. Otherwise the result is uncertain, which is frequent on a busy machine, and {@link #ifUnsure} decides. Every
 * message has the interval.
 */
@Documented
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CompareSidesExtension.class)
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public @interface CompareSides {

    /** Returns the maximum slowdown of <em>after</em> against <em>before</em>, in percent, from 0 up. */
    double maxSlowdownPercent();

    /**
     * Returns the result of the test if the comparison is uncertain. There is no default, because either choice is wrong for
     * some projects.
     */
    IfUnsure ifUnsure();

    /** Returns how many blocks of samples are taken, from 3 to 1,000. The interval comes from how much the blocks differ. */
    int blocks() default 10;

    /**
     * Returns how many samples of each side a block has, from 1 to 100,000. As many runs of each side come first,
     * unmeasured.
     */
    int samples() default 20;

    /** The result of a test whose comparison is uncertain. */
    enum IfUnsure {
        /** Passed: only what is shown to be slower fails. */
        PASS,
        /** Failed: only what is shown to be within the bound passes. */
        FAIL,
        /** Skipped, so that it is neither. */
        SKIP
    }
}

package io.movr.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the methods of a test class, or one of them, a {@link RegionalDatabase} as a parameter. It is an empty database of a
 * PostgreSQL that starts with the first test which asks for one, and ends with the last test of this virtual machine. A test
 * method and its {@code @BeforeEach} and {@code @AfterEach} methods get the same one, each test method another; if a
 * {@code @BeforeAll} method asks for one, all of the class get that.
 *
 * <p>For a database that a test has started by itself, such as a container, see {@link RegionalDatabase#of}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RegionsExtension.class)
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public @interface Regions {

    /**
     * Returns the regions, at least one: first the server's, then the regions of its distant clients, such as {@code
     * us-east1}.
     */
    String[] value();
}

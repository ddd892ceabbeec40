package dev.millrace.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts the application of the project before each test of a class, and stops it afterwards. Tests and methods with
 * {@code @BeforeEach} take it as a parameter of type {@link ApplicationUnderTest}.
 *
 * <p>To replace beans or set values of placeholders, use {@code @RegisterExtension} with
 * {@link ApplicationUnderTest#of} instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(MillraceExtension.class)
public @interface MillraceTest
{
    /**
     * Returns the assembly files, for example {@code META-INF/spring/app.context.xml}.
     *
     * @return resources of the class path; by default, all of the project
     */
    String[] value() default {};

    /**
     * Returns the component configuration files.
     *
     * @return resources of the class path; by default, all of the project
     */
    String[] configuration() default {};
}

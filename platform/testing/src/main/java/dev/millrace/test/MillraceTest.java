package dev.millrace.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

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
@ExtendWith(MillraceTest.Extension.class)
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

    /** Starts and stops an application for each test. Stateless; JUnit calls it. */
    final class Extension implements BeforeEachCallback, AfterEachCallback, ParameterResolver
    {
        private static final Namespace NAMESPACE = Namespace.create(Extension.class);

        @Override
        public void beforeEach(final ExtensionContext context) throws Exception
        {
            final MillraceTest settings =
                AnnotationSupport.findAnnotation(context.getRequiredTestClass(), MillraceTest.class).orElseThrow();
            final ApplicationUnderTest application =
                ApplicationUnderTest.of(settings.value()).configuration(settings.configuration());
            application.beforeEach(context);
            context.getStore(NAMESPACE).put(ApplicationUnderTest.class, application);
        }

        @Override
        public void afterEach(final ExtensionContext context)
        {
            final ApplicationUnderTest application =
                context.getStore(NAMESPACE).remove(ApplicationUnderTest.class, ApplicationUnderTest.class);
            if (application != null)
            {
                application.afterEach(context);
            }
        }

        @Override
        public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context)
        {
            return parameter.getParameter().getType() == ApplicationUnderTest.class;
        }

        @Override
        public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context)
        {
            return context.getStore(NAMESPACE).get(ApplicationUnderTest.class);
        }
    }
}

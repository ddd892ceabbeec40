package dev.millrace.test;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The extension of {@link MillraceTest}: an application for each test. Stateless; JUnit calls it. */
final class MillraceExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver
{
    private static final Namespace NAMESPACE = Namespace.create(MillraceExtension.class);

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

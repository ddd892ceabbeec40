package dev.millrace.server.extender.context;

import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.context.support.DelegatingMessageSource;

/**
 * The default message source of Spring, created on its first use. Its creation examines all locales of the JDK, which
 * costs a tenth of the processor time of an instance at every start, and few applications use it.
 *
 * <p>Thread-safe.
 */
final class LazyMessageSource implements MessageSource
{
    private static final class Spring
    {
        private static final MessageSource SOURCE = new DelegatingMessageSource();
    }

    @Override
    public String getMessage(
        final String code, final Object[] arguments, final String defaultMessage, final Locale locale)
    {
        return Spring.SOURCE.getMessage(code, arguments, defaultMessage, locale);
    }

    @Override
    public String getMessage(final String code, final Object[] arguments, final Locale locale)
    {
        return Spring.SOURCE.getMessage(code, arguments, locale);
    }

    @Override
    public String getMessage(final MessageSourceResolvable resolvable, final Locale locale)
    {
        return Spring.SOURCE.getMessage(resolvable, locale);
    }
}

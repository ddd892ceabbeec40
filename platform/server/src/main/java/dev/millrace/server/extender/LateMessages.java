package dev.millrace.server.extender;

import java.util.Locale;
import org.springframework.context.MessageSource;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.context.support.DelegatingMessageSource;

/**
 * The message source that Spring itself gives a context without one, made when it is asked first. Making it costs every
 * start a look at all locales of the JDK, a tenth of the processor time of an instance, and hardly an application asks.
 *
 * <p>Safe for all threads.
 */
final class LateMessages implements MessageSource
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

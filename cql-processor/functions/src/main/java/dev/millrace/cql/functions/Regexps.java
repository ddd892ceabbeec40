package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.Values;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expression functions with the syntax of {@code java.util.regex}. A pattern is a string, or a {@link Pattern}
 * that was compiled once because it is constant. The number of character accesses is limited, as for LIKE.
 */
public final class Regexps
{
    private static final String EXTRACT = "regexp_extract";
    private static final String REPLACE = "regexp_replace";

    private Regexps()
    {
    }

    /** The first match of a pattern. */
    public static String extract(final String text, final String pattern)
    {
        return extract(text, (Object) pattern, 0);
    }

    /** The first match of a constant pattern. */
    public static String extract(final String text, final Object pattern)
    {
        return extract(text, pattern, 0);
    }

    /** A group of the first match of a pattern. */
    public static String extract(final String text, final String pattern, final int group)
    {
        return extract(text, (Object) pattern, group);
    }

    /** A group of the first match of a constant pattern; null if nothing matches. */
    public static String extract(final String text, final Object pattern, final int group)
    {
        final Matcher matcher = compiled(EXTRACT, pattern).matcher(Values.counted(text));
        if (group < 0 || group > matcher.groupCount())
        {
            throw FunctionErrors.domain(EXTRACT, "group=" + group + " groups=" + matcher.groupCount());
        }
        try
        {
            return matcher.find() ? matcher.group(group) : null;
        }
        catch (final StackOverflowError tooDeep)
        {
            throw Values.tooDeep(text);
        }
    }

    /**
     * The string with all matches of a pattern replaced; a null replacement removes them, a null pattern changes
     * nothing.
     */
    public static String replace(final String text, final String pattern, final String replacement)
    {
        return replace(text, (Object) pattern, replacement);
    }

    /** The same with a constant pattern. */
    public static String replace(final String text, final Object pattern, final String replacement)
    {
        if (text == null || pattern == null)
        {
            return text;
        }
        final Matcher matcher = compiled(REPLACE, pattern).matcher(Values.counted(text));
        final StringBuilder all = new StringBuilder(text.length());
        try
        {
            while (matcher.find())
            {
                matcher.appendReplacement(all, replacement == null ? "" : replacement);
                FunctionErrors.text(REPLACE, all);
            }
        }
        catch (final StackOverflowError tooDeep)
        {
            throw Values.tooDeep(text);
        }
        catch (final IllegalArgumentException | IndexOutOfBoundsException wrong)
        {
            throw FunctionErrors.domain(REPLACE, "replacement=" + replacement + " cause=" + wrong.getMessage());
        }
        matcher.appendTail(all);
        return FunctionErrors.text(REPLACE, all);
    }

    private static Pattern compiled(final String function, final Object pattern)
    {
        if (pattern instanceof Pattern constant)
        {
            return constant;
        }
        try
        {
            return Pattern.compile((String) pattern);
        }
        catch (final PatternSyntaxException wrong)
        {
            throw FunctionErrors.domain(function, "pattern=" + pattern + " cause=" + wrong.getDescription());
        }
        catch (final StackOverflowError tooDeep)
        {
            throw FunctionErrors.domain(function, "cause=the pattern is nested too deeply");
        }
    }
}

package dev.millrace.cql.runtime.function;

import dev.millrace.cql.runtime.row.RowRejectedException;

/** Creates the exceptions of functions. Stateless. */
public final class FunctionErrors
{
    /** Reason for an argument outside the domain of a function. */
    static final String DOMAIN = "function-domain";
    /** Reason for a string that does not represent a value of the type. */
    static final String CONVERSION = "conversion-failed";
    /** Reason for XML that is malformed or too large, and for queries that fail. */
    public static final String XML = "xml-failed";
    /** Maximum length of a string, XML value or list that a function returns. */
    public static final int MAX_LENGTH = 1 << 20;

    private FunctionErrors()
    {
    }

    public static RowRejectedException domain(final String function, final String detail)
    {
        return new RowRejectedException(DOMAIN, "function=" + function + " " + detail);
    }

    public static RowRejectedException conversion(final String function, final Object value)
    {
        final String text = String.valueOf(value);
        return new RowRejectedException(CONVERSION,
            "function=" + function + " value=" + (text.length() > 100 ? text.substring(0, 100) + "..." : text));
    }

    public static void need(final boolean holds, final String function, final String detail)
    {
        if (!holds)
        {
            throw domain(function, detail);
        }
    }

    /** The string itself, null for an empty one; fails if it is too long. */
    public static String text(final String function, final CharSequence text)
    {
        need(text.length() <= MAX_LENGTH, function, "a string of more than " + MAX_LENGTH + " characters");
        return text.isEmpty() ? null : text.toString();
    }
}

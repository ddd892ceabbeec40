package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.flow.RowRejectedException;

/** Makes the exceptions of functions. Keeps no state. */
final class Failures
{
    /** Reason of an argument outside of what a function is defined for. */
    static final String DOMAIN = "function-domain";
    /** Reason of a text that says no value of the type. */
    static final String CONVERSION = "conversion-failed";
    /** Reason of XML that is wrong or too large, and of queries that fail. */
    static final String XML = "xml-failed";
    /** No text, XML or list that a function makes is longer. */
    static final int MAX_LENGTH = 1 << 20;

    private Failures()
    {
    }

    static RowRejectedException domain(final String function, final String detail)
    {
        return new RowRejectedException(DOMAIN, "function=" + function + " " + detail);
    }

    static RowRejectedException conversion(final String function, final Object value)
    {
        final String text = String.valueOf(value);
        return new RowRejectedException(CONVERSION,
            "function=" + function + " value=" + (text.length() > 100 ? text.substring(0, 100) + "..." : text));
    }

    static void need(final boolean holds, final String function, final String detail)
    {
        if (!holds)
        {
            throw domain(function, detail);
        }
    }

    /** The text itself, null for an empty one; refused when too long. */
    static String text(final String function, final CharSequence text)
    {
        need(text.length() <= MAX_LENGTH, function, "a text of more than " + MAX_LENGTH + " characters");
        return text.isEmpty() ? null : text.toString();
    }
}

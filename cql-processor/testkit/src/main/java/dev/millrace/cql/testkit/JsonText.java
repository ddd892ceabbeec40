package dev.millrace.cql.testkit;

import java.util.Locale;

/** Writes strings as JSON. Stateless. */
public final class JsonText
{
    private JsonText()
    {
    }

    /** A string in quotes. */
    public static String quoted(final String text)
    {
        final StringBuilder out = new StringBuilder("\"");
        for (final char c : text.toCharArray())
        {
            if (c == '"' || c == '\\')
            {
                out.append('\\').append(c);
            }
            else if (c < ' ')
            {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int)c));
            }
            else
            {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}

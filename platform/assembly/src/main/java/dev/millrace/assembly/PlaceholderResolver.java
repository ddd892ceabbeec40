package dev.millrace.assembly;

import java.util.Collection;
import java.util.Map;

/** Replaces some placeholders of a string, in Spring's notation, and leaves the others unchanged. */
final class PlaceholderResolver
{
    private static final String START = "${";

    private PlaceholderResolver()
    {
    }

    /**
     * Replaces {@code ${name}} and {@code ${name:default}}; replacements are not searched again. {@code \${} is left to
     * Spring, which does not treat it as a placeholder.
     *
     * @param text   any
     * @param values by name
     * @param found  receives the names of all placeholders, replaced or not
     * @return the string with values
     */
    static String replace(final String text, final Map<String, String> values, final Collection<String> found)
    {
        final StringBuilder out = new StringBuilder();
        int at = 0;
        for (int start = text.indexOf(START); start >= 0; start = text.indexOf(START, at))
        {
            out.append(text, at, start);
            final int end = end(text, start);
            if (end < 0 || start > 0 && text.charAt(start - 1) == '\\')
            {
                out.append(START);
                at = start + START.length();
                continue;
            }
            final String inner = text.substring(start + START.length(), end);
            final int colon = inner.indexOf(':');
            final String name = (colon < 0 ? inner : inner.substring(0, colon)).strip();
            final String value = values.get(name);
            if (!name.contains(START))
            {
                found.add(name);
            }
            // Defaults may contain placeholders, which are collected even where the default is not used.
            final String rest = replace(inner, values, found);
            out.append(value == null ? START + rest + '}' : value);
            at = end + 1;
        }
        return out.append(text, at, text.length()).toString();
    }

    /** The end of the placeholder that begins at an index, -1 when it does not end. */
    private static int end(final String text, final int start)
    {
        int depth = 0;
        for (int i = start; i < text.length(); i++)
        {
            if (text.startsWith(START, i))
            {
                depth++;
                i++;
            }
            else if (text.charAt(i) == '}' && --depth == 0)
            {
                return i;
            }
        }
        return -1;
    }
}

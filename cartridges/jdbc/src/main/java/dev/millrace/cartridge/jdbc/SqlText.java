package dev.millrace.cartridge.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A statement whose values {@code :name} are replaced with question marks. Names in strings, quoted names and comments,
 * and {@code ::} of casts are not values.
 *
 * @param text   for the database
 * @param values index of the parameter for each question mark
 */
record SqlText(String text, List<Integer> values)
{
    /** Copies the list. */
    SqlText
    {
        values = List.copyOf(values);
    }

    /**
     * Reads a statement.
     *
     * @param parameters names that it may use, case is not significant
     * @throws IllegalArgumentException for an unknown name, an unused one, or a question mark
     */
    static SqlText of(final String statement, final List<String> parameters)
    {
        final List<String> names = parameters.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        final StringBuilder text = new StringBuilder();
        final List<Integer> values = new ArrayList<>();
        int at = 0;
        while (at < statement.length())
        {
            final int skipped = skip(statement, at);
            if (skipped > at)
            {
                text.append(statement, at, skipped);
                at = skipped;
            }
            else if (statement.charAt(at) == ':')
            {
                final int end = nameEnd(statement, at + 1);
                final String name = statement.substring(at + 1, end);
                final int index = names.indexOf(name.toLowerCase(Locale.ROOT));
                if (index < 0)
                {
                    throw new IllegalArgumentException("the statement has a value without a param, value=:" + name +
                        " params=" + parameters);
                }
                values.add(index);
                text.append('?');
                at = end;
            }
            else if (statement.charAt(at) == '?')
            {
                throw new IllegalArgumentException("the statement has a question mark, write :name, position=" + at);
            }
            else
            {
                text.append(statement.charAt(at++));
            }
        }
        for (int i = 0; i < names.size(); i++)
        {
            if (!values.contains(i))
            {
                throw new IllegalArgumentException("the statement does not use a param, param=" + parameters.get(i));
            }
        }
        return new SqlText(text.toString(), values);
    }

    private static int nameEnd(final String statement, final int start)
    {
        int end = start;
        while (end < statement.length() && Character.isJavaIdentifierPart(statement.charAt(end)))
        {
            end++;
        }
        return end;
    }

    /** The position after a string, quoted name, comment or {@code ::} that begins here; otherwise the same. */
    private static int skip(final String statement, final int at)
    {
        final char c = statement.charAt(at);
        if (c == '\'' || c == '"' || c == '`')
        {
            return after(statement, at + 1, String.valueOf(c));
        }
        if (statement.startsWith("--", at))
        {
            return after(statement, at, "\n");
        }
        return statement.startsWith("/*", at) ? after(statement, at + 2, "*/") :
            statement.startsWith("::", at) ? at + 2 : at;
    }

    private static int after(final String statement, final int from, final String end)
    {
        final int found = statement.indexOf(end, from);
        return found < 0 ? statement.length() : found + end.length();
    }
}

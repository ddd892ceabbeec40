package dev.millrace.adapter.loadgen.generator;

import dev.millrace.adapter.loadgen.generator.ColumnSpec.Argument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the property {@code columns}: {@code symbol = choice(ORCL:3, 'a, b'); price = walk(100, 0.5, 1, 1000)}.
 * Confined to one call.
 */
final class ColumnSpecParser
{
    private static final char QUOTE = '\'';
    private static final long MAX_WEIGHT = 1_000_000_000;

    private final String text;
    private int at;

    private ColumnSpecParser(final String text)
    {
        this.text = text;
    }

    /**
     * Reads specifications.
     *
     * @param text {@code null} or blank for none
     * @throws IllegalArgumentException with the fact and the position, if the text is wrong
     */
    static List<ColumnSpec> parse(final String text)
    {
        final List<ColumnSpec> specs = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        final ColumnSpecParser parser = new ColumnSpecParser(text == null ? "" : text);
        while (parser.hasMore())
        {
            final ColumnSpec spec = parser.column();
            if (!names.add(spec.name()))
            {
                throw new IllegalArgumentException("a column occurs twice, column=" + spec.name());
            }
            specs.add(spec);
        }
        return specs;
    }

    private boolean hasMore()
    {
        skipBlanks();
        while (at < text.length() && text.charAt(at) == ';')
        {
            at++;
            skipBlanks();
        }
        return at < text.length();
    }

    private ColumnSpec column()
    {
        final String name = word("=");
        expect('=');
        final String function = word("(");
        expect('(');
        final List<Argument> arguments = new ArrayList<>();
        skipBlanks();
        if (peek() != ')')
        {
            arguments.add(argument());
            while (peek() == ',')
            {
                at++;
                arguments.add(argument());
            }
        }
        expect(')');
        skipBlanks();
        if (at < text.length() && text.charAt(at) != ';')
        {
            throw wrong("';' is missing between columns");
        }
        return new ColumnSpec(name, function, arguments);
    }

    private Argument argument()
    {
        skipBlanks();
        final boolean isQuoted = peek() == QUOTE;
        final String value = isQuoted ? quoted() : word(",:)");
        skipBlanks();
        long weight = 1;
        if (peek() == ':')
        {
            at++;
            final String number = word(",:)");
            if (!number.matches("\\d{1,10}") || Long.parseLong(number) < 1 || Long.parseLong(number) > MAX_WEIGHT)
            {
                throw wrong("a weight is not a number from 1 to " + MAX_WEIGHT + " (values that contain ':' need " +
                    "single quotes), weight=" + number);
            }
            weight = Long.parseLong(number);
        }
        skipBlanks();
        return new Argument(value, isQuoted, weight);
    }

    private String quoted()
    {
        final StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length())
        {
            final char each = text.charAt(at++);
            if (each != QUOTE)
            {
                value.append(each);
            }
            else if (peek() == QUOTE)
            {
                value.append(QUOTE);
                at++;
            }
            else
            {
                return value.toString();
            }
        }
        throw wrong("a quote is not closed");
    }

    /** Text up to one of some characters, without blanks around it. */
    private String word(final String ends)
    {
        final int from = at;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0 && ";=(".indexOf(text.charAt(at)) < 0)
        {
            at++;
        }
        final String word = text.substring(from, at).strip();
        if (word.isEmpty())
        {
            throw wrong("a name or value is missing");
        }
        return word;
    }

    private void expect(final char wanted)
    {
        if (peek() != wanted)
        {
            throw wrong("'" + wanted + "' is missing");
        }
        at++;
    }

    /** The next character; 0 at the end. */
    private char peek()
    {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private void skipBlanks()
    {
        while (at < text.length() && Character.isWhitespace(text.charAt(at)))
        {
            at++;
        }
    }

    private IllegalArgumentException wrong(final String fact)
    {
        return new IllegalArgumentException(fact + ", position=" + (at + 1));
    }
}

package dev.millrace.cql.testkit.interpreter.syntax;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Iterates over the tokens of a statement. */
class TokenReader
{
    static final Set<String> RESERVED = Set.of("select", "from", "where", "group", "having", "order", "by", "union",
        "except", "minus", "intersect", "as", "and", "or", "not", "xor", "in", "is", "null", "like", "between", "case",
        "when", "then", "else", "end", "on", "distinct", "istream", "dstream", "rstream");
    private static final Map<String, Long> UNITS = Map.of("nanosecond", 1L, "microsecond", 1_000L, "millisecond",
        1_000_000L, "second", 1_000_000_000L, "minute", 60_000_000_000L, "hour", 3_600_000_000_000L, "day",
        86_400_000_000_000L);

    private final List<Lexer.Token> tokens;
    private int at;

    TokenReader(final String text)
    {
        tokens = Lexer.read(text);
    }

    /** A length of time; {@code unit} is whether a unit was written. */
    record Time(long ns, BigDecimal number, boolean unit)
    {
    }

    final Lexer.Token peek(final int ahead)
    {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    final Lexer.Token next()
    {
        final Lexer.Token token = peek(0);
        at++;
        return token;
    }

    final boolean see(final String... words)
    {
        for (int i = 0; i < words.length; i++)
        {
            if (!peek(i).is(words[i]))
            {
                return false;
            }
        }
        return true;
    }

    final boolean take(final String... words)
    {
        if (!see(words))
        {
            return false;
        }
        at += words.length;
        return true;
    }

    final void need(final String... words)
    {
        if (!take(words))
        {
            throw new InvalidStatementException(String.join(" ", words) + " expected, found '" + peek(0).text() + "'");
        }
    }

    final boolean atEnd()
    {
        return peek(0).kind() == Lexer.Kind.END;
    }

    final InvalidStatementException wrong()
    {
        return peek(0).kind() == Lexer.Kind.PLACEHOLDER ?
            new InvalidStatementException("placeholder without binding: " + peek(0).text())
            : new InvalidStatementException("syntax error at '" + peek(0).text() + "'");
    }

    final boolean seeName()
    {
        final Lexer.Token token = peek(0);
        return token.kind() == Lexer.Kind.QUOTED
            || token.kind() == Lexer.Kind.WORD && !RESERVED.contains(token.text());
    }

    final String name()
    {
        if (!seeName())
        {
            throw peek(0).kind() == Lexer.Kind.WORD ?
                new InvalidStatementException("reserved word " + peek(0).text() + " as a name")
                : wrong();
        }
        return next().text();
    }

    final List<String> names()
    {
        final List<String> names = new java.util.ArrayList<>();
        do
        {
            names.add(name());
        }
        while (take(","));
        return names;
    }

    final long integer()
    {
        final Lexer.Token token = peek(0);
        if (token.kind() != Lexer.Kind.NUMBER || !token.text().chars().allMatch(Character::isDigit))
        {
            throw wrong();
        }
        at++;
        return Long.parseLong(token.text());
    }

    final Long unit()
    {
        final Lexer.Token token = peek(0);
        if (token.kind() != Lexer.Kind.WORD)
        {
            return null;
        }
        final String word = token.text();
        final Long unit = UNITS.get(word.endsWith("s") ? word.substring(0, word.length() - 1) : word);
        if (unit != null)
        {
            at++;
        }
        return unit;
    }

    final Time time()
    {
        final Lexer.Token token = peek(0);
        if (token.kind() != Lexer.Kind.NUMBER)
        {
            throw wrong();
        }
        at++;
        final BigDecimal number = new BigDecimal(token.text().replaceAll("[fFdDlL]$", ""));
        final Long unit = unit();
        final BigDecimal ns = number.multiply(BigDecimal.valueOf(unit == null ? 1_000_000_000L : unit));
        return new Time(ns.longValue(), number, unit != null);
    }
}

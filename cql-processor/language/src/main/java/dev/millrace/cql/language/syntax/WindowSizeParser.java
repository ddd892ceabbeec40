package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Statement.Period;
import dev.millrace.cql.language.types.TimestampParser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Parses durations and numbers of rows. */
final class WindowSizeParser
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Set<String> CALENDAR =
        Set.of("week", "weeks", "month", "months", "quarter", "quarters", "year", "years");

    private WindowSizeParser()
    {
    }

    /** A number with a unit, in seconds without a unit; or an interval. */
    static Period period(final TokenStream tokens)
    {
        final Token first = tokens.peek();
        if (tokens.at("interval"))
        {
            final long ns = interval(tokens);
            return new Period(positive(ns, tokens.since(first), "a duration"), tokens.since(first));
        }
        final BigDecimal number = number(tokens, "a duration");
        final Long unit = unit(tokens);
        return period(number, unit == null ? SECOND_NS : unit, tokens.since(first));
    }

    /** One unit, a second without a unit. */
    static Period unitPeriod(final TokenStream tokens)
    {
        final Token first = tokens.peek();
        final Long unit = unit(tokens);
        return new Period(unit == null ? SECOND_NS : unit,
            unit == null ? first.position() : tokens.since(first));
    }

    /** The next unit in nanoseconds, or {@code null} if the next token is not a unit. */
    static Long unit(final TokenStream tokens)
    {
        final Token token = tokens.peek();
        if (token.kind() != Token.Kind.WORD)
        {
            return null;
        }
        final Long unit = TimeUnitNames.lengthNs(token.text());
        if (unit != null)
        {
            tokens.next();
            return unit;
        }
        if (tokens.at("slide") || tokens.at("on"))
        {
            return null;
        }
        final Token number = tokens.previous();
        checkUnit(token, TimeUnitNames.fullName(token.text()) == null || number.kind() != Token.Kind.NUMBER ? null
            : "write " + TimeUnitNames.length(number.text(), TimeUnitNames.fullName(token.text())));
        final CqlRuleException misspelt = tokens.unexpected("a time unit", TimeUnitNames.NAMES);
        if (misspelt.message() == Message.MISSPELT_KEYWORD)
        {
            throw misspelt;
        }
        return null;
    }

    /** Refuses abbreviations, and months and years, whose length varies. */
    private static void checkUnit(final Token token, final String hint)
    {
        final String word = token.text().toLowerCase(Locale.ROOT);
        final String unit = token.kind() == Token.Kind.WORD ? TimeUnitNames.fullName(word) : null;
        if (unit != null || token.kind() == Token.Kind.WORD && CALENDAR.contains(word))
        {
            throw new CqlRuleException(Message.NOT_A_UNIT, token.position(), token.shown())
                .withHint(hint != null || unit == null ? hint : "write " + unit);
        }
    }

    static Period period(final BigDecimal number, final long unit, final SqlParserPos position)
    {
        final BigDecimal exact = number.multiply(BigDecimal.valueOf(unit));
        if (exact.signum() <= 0)
        {
            throw new CqlRuleException(Message.NOT_POSITIVE, position, "a duration", number.toPlainString());
        }
        try
        {
            return new Period(exact.longValueExact(), position);
        }
        catch (final ArithmeticException outOfRange)
        {
            throw new CqlRuleException(exact.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? Message.TIME_TOO_LONG
                : Message.TIME_TOO_FINE, position);
        }
    }

    /** A number without sign or suffix. */
    static BigDecimal number(final TokenStream tokens, final String what)
    {
        final Token token = tokens.peek();
        if (tokens.at("-") && tokens.peek(1).kind() == Token.Kind.NUMBER)
        {
            tokens.next();
            tokens.next();
            throw new CqlRuleException(Message.NOT_POSITIVE, tokens.since(token), what, "-" + tokens.previous().text());
        }
        if (token.kind() != Token.Kind.NUMBER)
        {
            throw tokens.unexpected(what);
        }
        tokens.next();
        final String text = token.text();
        final String digits = Character.isLetter(text.charAt(text.length() - 1))
            ? text.substring(0, text.length() - 1) : text;
        if (digits.length() > 40 || digits.toLowerCase(Locale.ROOT).contains("e"))
        {
            throw new CqlRuleException(Message.NUMBER_OUT_OF_RANGE, token.position(), text, what);
        }
        return new BigDecimal(digits.endsWith(".") ? digits + "0" : digits);
    }

    /** A whole number of at least 1. */
    static long count(final TokenStream tokens, final String clause)
    {
        final Token token = tokens.peek();
        final BigDecimal number = number(tokens, "a number of rows");
        if (number.signum() == 0)
        {
            throw new CqlRuleException(Message.NOT_POSITIVE, token.position(), clause, token.text());
        }
        final BigInteger whole;
        try
        {
            whole = number.toBigIntegerExact();
        }
        catch (final ArithmeticException fraction)
        {
            throw new CqlRuleException(Message.NOT_WHOLE, token.position(), token.text());
        }
        if (whole.bitLength() > 31)
        {
            throw new CqlRuleException(Message.NUMBER_OUT_OF_RANGE, token.position(), token.text(), "a number of rows");
        }
        return whole.longValue();
    }

    /** {@code INTERVAL "text" UNIT [TO UNIT]} in nanoseconds. */
    static long interval(final TokenStream tokens)
    {
        final Token first = tokens.next();
        final Token text = tokens.peek();
        if (text.kind() != Token.Kind.STRING)
        {
            throw tokens.unexpected("a string with the length of the interval");
        }
        tokens.next();
        final String from = fieldName(tokens);
        if (from == null)
        {
            checkField(tokens.peek());
        }
        final String to = from != null && tokens.take("to") ? fieldName(tokens) : from;
        if (to == null && from != null)
        {
            throw tokens.unexpected("DAY, HOUR, MINUTE or SECOND", "day", "hour", "minute", "second");
        }
        final Long ns = TimestampParser.interval(text.text(), from == null ? "day" : from, from == null ? "second" :
            to);
        if (ns == null)
        {
            throw new CqlRuleException(Message.BAD_INTERVAL, tokens.since(first), text.text());
        }
        return ns;
    }

    private static void checkField(final Token token)
    {
        checkUnit(token, CALENDAR.contains(token.text().toLowerCase(Locale.ROOT)) ? null
            : "units of an interval are DAY, HOUR, MINUTE and SECOND");
        if (TimeUnitNames.isUnit(token))
        {
            throw new CqlRuleException(Message.NOT_A_UNIT, token.position(), token.shown())
                .withHint("units of an interval are DAY, HOUR, MINUTE and SECOND");
        }
    }

    private static String fieldName(final TokenStream tokens)
    {
        for (final String name : new String[]{"day", "hour", "minute", "second"})
        {
            if (tokens.take(name))
            {
                if (tokens.take("("))
                {
                    number(tokens, "a precision");
                    if (name.equals("second") && tokens.take(","))
                    {
                        number(tokens, "a precision");
                    }
                    tokens.need(")");
                }
                return name;
            }
        }
        return null;
    }

    private static long positive(final long value, final SqlParserPos position, final String what)
    {
        if (value <= 0)
        {
            throw new CqlRuleException(Message.NOT_POSITIVE, position, what, value + " ns");
        }
        return value;
    }
}

package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Set;
import java.util.function.Function;

/** CAST: which types can be converted to which, and how. */
public final class Casts
{
    private static final Set<Type> WHOLE = Set.of(Type.INT, Type.BIGINT);

    private Casts()
    {
    }

    static TypedExpression cast(final TypedExpression value, final Type to)
    {
        final Type from = value.type();
        if (from == to || from == Type.NULL)
        {
            return new TypedExpression(to, value.eval());
        }
        final Function<Object, Object> conversion = from == Type.CHAR ? ofText(to)
            : from.isNumber() ? ofNumber(from, to) : ofOther(from, to);
        if (conversion == null)
        {
            throw new InvalidStatementException("cast of " + from + " to " + to);
        }
        return new TypedExpression(to, env -> {
            final Object given = value.eval().of(env);
            return given == null ? null : conversion.apply(given);
        });
    }

    private static Function<Object, Object> ofText(final Type to)
    {
        switch (to)
        {
            case INT:
            case BIGINT:
                return text -> whole(decimal(text.toString(), "[+-]?\\d+"), to);
            case FLOAT:
                return text -> Float.parseFloat(number(text));
            case DOUBLE:
                return text -> Double.parseDouble(number(text));
            case BIGDECIMAL:
                return text -> decimal(text.toString(), ".*");
            case BOOLEAN:
                return text -> TextFunctions.truth((String)text);
            case TIMESTAMP:
                return text -> Values.timestamp((String)text);
            case INTERVAL:
                return Casts::interval;
            default:
                return null;
        }
    }

    private static Function<Object, Object> ofNumber(final Type from, final Type to)
    {
        switch (to)
        {
            case INT:
            case BIGINT:
                return number -> whole(exact((Number)number), to);
            case FLOAT:
                return number -> ((Number)number).floatValue();
            case DOUBLE:
                return number -> ((Number)number).doubleValue();
            case BIGDECIMAL:
                return number -> new BigDecimal(exact((Number)number).toString());
            case BOOLEAN:
                return number -> number instanceof BigDecimal exact ? exact.signum() != 0
                    : ((Number)number).doubleValue() != 0;
            case CHAR:
                return number -> number instanceof BigDecimal exact ? exact.toPlainString() : Values.text(number);
            default:
                return WHOLE.contains(from) ? number -> ((Number)number).longValue() : null;
        }
    }

    private static Function<Object, Object> ofOther(final Type from, final Type to)
    {
        if (to == Type.CHAR)
        {
            return from == Type.TIMESTAMP ? time -> Values.timestampText((Long)time)
                : from == Type.INTERVAL ? length -> shortest(Values.intervalText((Long)length))
                : from == Type.BOOLEAN ? Object::toString : null;
        }
        return to == Type.BIGINT && from != Type.BOOLEAN ? time -> time : null;
    }

    /** Without trailing zeros of the fraction, and without an empty fraction. */
    private static String shortest(final String interval)
    {
        return interval.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    private static BigDecimal exact(final Number number)
    {
        if (!Double.isFinite(number.doubleValue()) && !(number instanceof BigDecimal))
        {
            throw new RowEvaluationException("not finite: " + number);
        }
        return new BigDecimal(number.toString());
    }

    private static Object whole(final BigDecimal exact, final Type to)
    {
        final BigInteger whole = exact.setScale(0, RoundingMode.DOWN).toBigInteger();
        if (whole.bitLength() > (to == Type.INT ? 31 : 63))
        {
            throw new RowEvaluationException("out of range: " + exact);
        }
        return to == Type.INT ? (Object)whole.intValue() : (Object)whole.longValue();
    }

    private static BigDecimal decimal(final String text, final String form)
    {
        try
        {
            if (text.strip().matches(form))
            {
                return new BigDecimal(text.strip());
            }
        }
        catch (final NumberFormatException noNumber)
        {
            throw new RowEvaluationException("no number: " + text);
        }
        throw new RowEvaluationException("no number: " + text);
    }

    private static String number(final Object text)
    {
        return decimal(text.toString(), ".*").toString();
    }

    private static Object interval(final Object text)
    {
        try
        {
            return Values.interval((String)text);
        }
        catch (final InvalidStatementException noInterval)
        {
            throw new RowEvaluationException("no interval: " + text);
        }
    }
}

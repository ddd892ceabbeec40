package dev.millrace.adapter.loadgen.generator;

import dev.millrace.api.event.EventProperty;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Reads values of properties from text. Thread-safe. */
final class ColumnValues
{
    private ColumnValues()
    {
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException with the fact, if the text is not a value of the property
     */
    static Object parse(final EventProperty property, final String text)
    {
        try
        {
            return switch (property.type())
            {
                case INT -> Integer.valueOf(text);
                case BIGINT, INTERVAL -> Long.valueOf(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BIGDECIMAL -> new BigDecimal(text);
                case BOOLEAN -> bool(text);
                case TIMESTAMP -> time(text);
                case CHAR -> checkLength(property, text);
                case BYTE -> HexFormat.of().parseHex(text);
                case XMLTYPE -> text;
                default -> throw new IllegalArgumentException("objects have no text");
            };
        }
        catch (final IllegalArgumentException | DateTimeException | ArithmeticException e)
        {
            throw new IllegalArgumentException("not a value of type " + property.type().cqlName() + ", value=" + text,
                e);
        }
    }

    private static String checkLength(final EventProperty property, final String text)
    {
        if (text.isEmpty() || text.length() > property.lengthChars())
        {
            throw new IllegalArgumentException("length");
        }
        return text;
    }

    private static Boolean bool(final String text)
    {
        if (!text.equals("true") && !text.equals("false"))
        {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    private static Long time(final String text)
    {
        if (text.matches("-?\\d{1,19}"))
        {
            return Long.valueOf(text);
        }
        final Instant time = Instant.parse(text);
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), time.getNano());
    }
}

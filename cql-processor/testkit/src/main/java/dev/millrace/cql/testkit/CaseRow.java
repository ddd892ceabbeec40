package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.RowEvaluationException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A row of output, with values in the form in which rows are compared: null, Boolean, String, Long or Double.
 *
 * @param kind '+', '-' or 'U'
 */
public record CaseRow(long timeNs, char kind, Object[] values)
{
    private static final BigDecimal MILLISECOND = BigDecimal.valueOf(1_000_000);
    private static final String BEGINNING = Long.toString(Long.MIN_VALUE);

    /**
     * Parses a line of an expectation. Fields keep their written form until the types of the columns are known.
     *
     * @param line "ms kind v1,v2"
     */
    public static CaseRow parse(final String line)
    {
        final String[] words = line.strip().split("\\s+", 3);
        if (words.length < 2)
        {
            throw new IllegalArgumentException("no row: " + line);
        }
        return new CaseRow(time(words[0]), words[1].charAt(0), values(words.length > 2 ? words[2] : ""));
    }

    /**
     * This row with its fields parsed by the types of their columns. A field that is not a value of its type keeps its
     * written form, and so equals nothing.
     *
     * @param types types of the columns
     * @return row of values in the form in which rows are compared
     */
    public CaseRow typed(final List<Type> types)
    {
        final Object[] read = values.clone();
        for (int i = 0; i < read.length && i < types.size(); i++)
        {
            read[i] = readable(read[i], types.get(i));
        }
        return new CaseRow(timeNs, kind, read);
    }

    private static Object readable(final Object field, final Type type)
    {
        try
        {
            return field == null ? null : plain(typed(field, type), type == Type.TIMESTAMP);
        }
        catch (final IllegalArgumentException | InvalidStatementException | RowEvaluationException otherwise)
        {
            return untyped(field);
        }
    }

    /** This row with the fields that still have their written form parsed by their appearance. */
    CaseRow plain()
    {
        final Object[] plain = values.clone();
        for (int i = 0; i < plain.length; i++)
        {
            plain[i] = plain[i] instanceof Bare || "".equals(plain[i]) ? untyped(plain[i]) : plain[i];
        }
        return new CaseRow(timeNs, kind, plain);
    }

    /**
     * A row of typed values.
     *
     * @param kind   '+' or '-'
     * @param values of these types
     * @param types  types of the columns
     */
    public static CaseRow of(final long timeNs, final char kind, final Object[] values, final List<Type> types)
    {
        final Object[] plain = new Object[values.length];
        for (int i = 0; i < plain.length; i++)
        {
            plain[i] = plain(values[i], types.get(i) == Type.TIMESTAMP);
        }
        return new CaseRow(timeNs, kind, plain);
    }

    /**
     * A value in the form in which rows are compared.
     *
     * @param timestamp whether it counts nanoseconds since 1970 and is written as a time
     * @return null, Boolean, String, Long or Double
     */
    public static Object plain(final Object value, final boolean timestamp)
    {
        if (value == null || value instanceof Boolean || value instanceof String || value instanceof Double)
        {
            return value;
        }
        if (timestamp && value instanceof Long ns)
        {
            return Values.timestampText(ns);
        }
        if (value instanceof Float number)
        {
            return Float.isFinite(number) ? Double.parseDouble(number.toString()) : number.doubleValue();
        }
        if (value instanceof Number number)
        {
            return number instanceof BigDecimal ? (Object)number.doubleValue() : (Object)number.longValue();
        }
        return value instanceof byte[] bytes ? hex(bytes) : value.toString();
    }

    private static String hex(final byte[] bytes)
    {
        return java.util.HexFormat.of().formatHex(bytes);
    }

    /**
     * Parses a time in milliseconds.
     *
     * @param text milliseconds with decimals, or the beginning of time
     * @return nanoseconds
     */
    static long time(final String text)
    {
        return text.equals(BEGINNING) ? Long.MIN_VALUE
            : new BigDecimal(text).multiply(MILLISECOND).setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    static String timeText(final long ns)
    {
        return ns == Long.MIN_VALUE ? BEGINNING
            : BigDecimal.valueOf(ns).divide(MILLISECOND).stripTrailingZeros().toPlainString();
    }

    /** A field between commas without quotes. */
    record Bare(String text)
    {
        @Override
        public String toString()
        {
            return text;
        }
    }

    /** Splits at commas outside of quotes: {@link Bare} for fields without quotes, String for quoted ones. */
    static Object[] values(final String text)
    {
        final List<Object> fields = new ArrayList<>();
        final StringBuilder field = new StringBuilder();
        char quote = 0;
        boolean quoted = false;
        for (final char c : (text + ",").toCharArray())
        {
            if (quote != 0)
            {
                quote = c == quote ? 0 : quote;
                if (quote != 0)
                {
                    field.append(c);
                }
            }
            else if (c == '"' || c == '\'' && field.toString().isBlank())
            {
                quote = c;
                quoted = true;
                field.setLength(0);
            }
            else if (c == ',')
            {
                fields.add(quoted ? (Object)field.toString() : new Bare(field.toString().strip()));
                field.setLength(0);
                quoted = false;
            }
            else if (!quoted)
            {
                field.append(c);
            }
        }
        return fields.toArray();
    }

    private static Object untyped(final Object field)
    {
        if (!(field instanceof Bare bare))
        {
            return field.toString().isEmpty() ? null : field;
        }
        final String text = bare.text();
        if (text.isEmpty() || text.equals("null"))
        {
            return null;
        }
        if (text.equals("true") || text.equals("false"))
        {
            return text.equals("true");
        }
        if (text.matches("[+-]?\\d{1,18}|-9223372036854775808"))
        {
            return Long.parseLong(text);
        }
        try
        {
            return number(text);
        }
        catch (final NumberFormatException noNumber)
        {
            return text;
        }
    }

    /** Parses a number; nan and inf in any case. */
    private static double number(final String text)
    {
        return switch (text.toLowerCase(Locale.ROOT))
        {
            case "nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    static Object typed(final Object field, final Type type)
    {
        final String text = field instanceof Bare bare ? bare.text() : field.toString();
        if (text.isEmpty() || field instanceof Bare && text.equals("null"))
        {
            return null;
        }
        switch (type)
        {
            case INT:
                return Integer.parseInt(text);
            case BIGINT:
                return Long.parseLong(text);
            case FLOAT:
                return Double.isFinite(number(text)) ? Float.parseFloat(text) : (float)number(text);
            case DOUBLE:
                return number(text);
            case BIGDECIMAL:
                return new BigDecimal(text);
            case BOOLEAN:
                return text.equalsIgnoreCase("true");
            case TIMESTAMP:
                return Values.timestamp(text);
            case INTERVAL:
                return text.matches("[+-]?\\d+") ? (Object)Long.parseLong(text) : (Object)Values.interval(text);
            case BYTE:
                return java.util.HexFormat.of().parseHex(text);
            default:
                return text;
        }
    }

    static String valuesText(final Object[] values, final List<Type> types)
    {
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < values.length; i++)
        {
            texts.add(values[i] != null && types.get(i) == Type.INTERVAL
                ? '"' + Values.intervalText((Long)values[i]) + '"'
                : text(plain(values[i], types.get(i) == Type.TIMESTAMP)));
        }
        return String.join(",", texts);
    }

    private static String text(final Object value)
    {
        return value instanceof String text ? '"' + text + '"' : String.valueOf(value);
    }

    /** The row as a line of a case file. */
    @Override
    public String toString()
    {
        return timeText(timeNs) + " " + kind + " "
            + Arrays.stream(values).map(CaseRow::text).collect(Collectors.joining(","));
    }
}

package dev.millrace.cql.processor.binding;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Date;
import java.util.Map;

/**
 * Maps Java types of user classes to CQL types. Times are nanoseconds in the engine and {@link Timestamp}s in user
 * classes that declare this type.
 */
final class JavaTypeMapping
{
    private static final Map<Class<?>, CqlType> KNOWN = Map.ofEntries(
        Map.entry(int.class, CqlType.INT), Map.entry(Integer.class, CqlType.INT),
        Map.entry(long.class, CqlType.BIGINT), Map.entry(Long.class, CqlType.BIGINT),
        Map.entry(float.class, CqlType.FLOAT), Map.entry(Float.class, CqlType.FLOAT),
        Map.entry(double.class, CqlType.DOUBLE), Map.entry(Double.class, CqlType.DOUBLE),
        Map.entry(boolean.class, CqlType.BOOLEAN), Map.entry(Boolean.class, CqlType.BOOLEAN),
        Map.entry(BigDecimal.class, CqlType.BIGDECIMAL), Map.entry(String.class, CqlType.CHAR),
        Map.entry(CharSequence.class, CqlType.CHAR), Map.entry(byte[].class, CqlType.BYTE),
        Map.entry(Timestamp.class, CqlType.TIMESTAMP), Map.entry(Date.class, CqlType.TIMESTAMP));
    private static final long SECOND_MS = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private JavaTypeMapping()
    {
    }

    /**
     * The CQL type of a Java type.
     *
     * @param type type of a parameter or result
     * @return type, {@code OBJECT} for classes without a corresponding type, {@code null} for unsupported primitives
     */
    static CqlType cqlType(final Class<?> type)
    {
        final CqlType known = KNOWN.get(type);
        return known != null || type.isPrimitive() ? known : CqlType.OBJECT;
    }

    /** Converts a time for a user class; returns other values unchanged. */
    static Object toUser(final CqlType type, final Object value)
    {
        if (type != CqlType.TIMESTAMP || value == null)
        {
            return value;
        }
        final long timeNs = (Long)value;
        final Timestamp time = new Timestamp(Math.floorDiv(timeNs, SECOND_NS) * SECOND_MS);
        time.setNanos((int)Math.floorMod(timeNs, SECOND_NS));
        return time;
    }

    /**
     * Converts a time of a user class; returns other values unchanged.
     *
     * @throws RowRejectedException for a time that 64 bits of nanoseconds cannot represent
     */
    static Object toEngine(final Object value)
    {
        try
        {
            if (value instanceof Timestamp time)
            {
                return Math.addExact(Math.multiplyExact(Math.floorDiv(time.getTime(), SECOND_MS), SECOND_NS),
                    time.getNanos());
            }
            return value instanceof Date date ?
                (Object)Math.multiplyExact(date.getTime(), SECOND_NS / SECOND_MS) : value;
        }
        catch (final ArithmeticException tooFar)
        {
            throw new RowRejectedException(
                "time-out-of-range", "a time is not within the years 1677 to 2262, time=" + value);
        }
    }
}

package dev.millrace.test;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventValues;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An expected row with its values converted to the types of the channel. Immutable.
 *
 * @param type   of the channel
 * @param values by column, only of the properties to compare
 * @param kind   of {@link EventBatch}
 * @param timeNs {@code null} for any time
 */
record RowExpectation(EventType type, Map<Integer, Object> values, byte kind, Long timeNs)
{
    /** Sums of the same numbers in another order differ by less. */
    private static final double RELATIVE_TOLERANCE = 1e-9;

    /**
     * Converts an expected row.
     *
     * @param expected {@link Row}, or a bean, map or tuple of the type, whose properties are all compared
     * @throws IllegalArgumentException if it does not fit the type
     */
    static RowExpectation of(final EventType type, final Object expected, final long startNs)
    {
        final EventValues converter = new EventValues(type);
        final Map<Integer, Object> values = new LinkedHashMap<>();
        try
        {
            if (!(expected instanceof Row row))
            {
                final Object[] all = converter.values(expected);
                for (int column = 0; column < all.length; column++)
                {
                    values.put(column, all[column]);
                }
                return new RowExpectation(type, values, EventBatch.INSERT, null);
            }
            final Map<String, Object> named = RowValues.of(row, type);
            for (final EventProperty property : type.properties())
            {
                final int column = type.indexOf(property.name());
                if (named.containsKey(property.name()))
                {
                    values.put(column, converter.converted(named.get(property.name()), column));
                }
            }
            return new RowExpectation(type, values, row.kind(), row.timeNs(startNs));
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalArgumentException("the expected row does not fit, row=" + expected + " reason=" +
                e.getMessage(), e);
        }
    }

    boolean matches(final ReceivedRow row)
    {
        return kind == row.kind() && (timeNs == null || Times.isSameMillisecond(timeNs, row.timeNs())) &&
            values.entrySet().stream().allMatch(each -> isEqual(each.getValue(), row.value(each.getKey())));
    }

    private static boolean isEqual(final Object expected, final Object actual)
    {
        if (expected instanceof BigDecimal one && actual instanceof BigDecimal other)
        {
            return one.compareTo(other) == 0;
        }
        if (expected instanceof Double || expected instanceof Float)
        {
            return actual instanceof Number number && isNear(((Number)expected).doubleValue(), number.doubleValue());
        }
        return Objects.deepEquals(expected, actual);
    }

    private static boolean isNear(final double expected, final double actual)
    {
        return Double.compare(expected, actual) == 0 ||
            Math.abs(expected - actual) <= RELATIVE_TOLERANCE * Math.max(Math.abs(expected), Math.abs(actual));
    }

    /** Converts all expected rows. */
    static List<RowExpectation> all(final EventType type, final Object[] rows, final long startNs)
    {
        final List<RowExpectation> all = new ArrayList<>();
        for (final Object row : rows)
        {
            all.add(of(type, row, startNs));
        }
        return all;
    }
}

package dev.millrace.cql.functions;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;

/** Functions that select one of their arguments, which are boxed, all of one type, and may be null. */
public final class ConditionalFunctions
{
    private ConditionalFunctions()
    {
    }

    /** The first argument unless it is null, otherwise the second. */
    public static Object nvl(final Object value, final Object otherwise)
    {
        return value == null ? otherwise : value;
    }

    /** The second argument unless the first is null, otherwise the third. */
    public static Object nvl2(final Object value, final Object set, final Object unset)
    {
        return value == null ? unset : set;
    }

    /** The first argument that is not null. */
    public static Object coalesce(final Object... values)
    {
        for (final Object value : values)
        {
            if (value != null)
            {
                return value;
            }
        }
        return null;
    }

    /** Null if both are equal, otherwise the first argument. */
    public static Object nullif(final Object value, final Object other)
    {
        return value != null && other != null && isEqual(value, other) ? null : value;
    }

    private static boolean isEqual(final Object value, final Object other)
    {
        if (value instanceof Double a && other instanceof Double b)
        {
            return a.doubleValue() == b.doubleValue();
        }
        if (value instanceof Float a && other instanceof Float b)
        {
            return a.floatValue() == b.floatValue();
        }
        if (value instanceof BigDecimal a && other instanceof BigDecimal b)
        {
            return a.compareTo(b) == 0;
        }
        return Objects.deepEquals(value, other);
    }

    /** The largest argument; null if one is null. */
    public static Object greatest(final Object... values)
    {
        return extreme(1, values);
    }

    /** The smallest argument; null if one is null. */
    public static Object least(final Object... values)
    {
        return extreme(-1, values);
    }

    private static Object extreme(final int sign, final Object[] values)
    {
        Object best = null;
        for (final Object value : values)
        {
            if (value == null)
            {
                return null;
            }
            if (best == null || Integer.signum(compare(value, best)) == sign)
            {
                best = value;
            }
        }
        return best;
    }

    // The signature converts all arguments to one type, which is ordered.
    @SuppressWarnings("unchecked")
    private static int compare(final Object left, final Object right)
    {
        return left instanceof String a ? compareCodePoints(a, (String) right)
            : ((Comparable<Object>) left).compareTo(right);
    }

    private static int compareCodePoints(final String left, final String right)
    {
        final int[] a = left.codePoints().toArray();
        final int[] b = right.codePoints().toArray();
        return Arrays.compare(a, b);
    }
}

package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.OrderedLongs;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * {@code min} and {@code max} of values that are objects: those of types that are not longs, and those of rows that
 * leave in any order. When rows never leave, one value is stored. Nulls are ignored.
 *
 * <p>Not thread-safe.
 */
public final class ExtremeValues extends RetainedValues implements StateHolder
{
    private final boolean isGreatest;
    private final boolean isGrowing;
    /** Number of occurrences of each value. */
    private final TreeMap<Object, Integer> counts = new TreeMap<>(ExtremeValues::compare);

    /**
     * @param isGreatest whether to find the maximum
     * @param isGrowing  whether rows never leave
     */
    public ExtremeValues(final boolean isGreatest, final boolean isGrowing)
    {
        this.isGreatest = isGreatest;
        this.isGrowing = isGrowing;
    }

    @SuppressWarnings("unchecked") // Values of one column have the same class.
    private static int compare(final Object a, final Object b)
    {
        if (a instanceof String text)
        {
            return Values.compareTexts(text, (String)b);
        }
        if (a instanceof Double || a instanceof Float)
        {
            return Long.compare(OrderedLongs.of(((Number)a).doubleValue()), OrderedLongs.of(((Number)b).doubleValue()));
        }
        return a instanceof byte[] bytes ? Arrays.compare(bytes, (byte[])b) : ((Comparable<Object>)a).compareTo(b);
    }

    @Override
    public void reset()
    {
        gone(counts.size());
        counts.clear();
    }

    @Override
    public boolean isIncremental()
    {
        return true;
    }

    @Override
    public void plus(final Object[] arguments)
    {
        if (arguments[0] == null)
        {
            return;
        }
        if (!counts.containsKey(arguments[0]))
        {
            need();
            kept();
        }
        counts.merge(arguments[0], 1, Integer::sum);
        if (isGrowing && counts.size() > 1)
        {
            counts.remove(isGreatest ? counts.firstKey() : counts.lastKey());
            gone(1);
        }
    }

    @Override
    public void minus(final Object[] arguments)
    {
        final Integer count = arguments[0] == null ? null : counts.get(arguments[0]);
        // Null when a nested function returned another value than when the same row entered.
        if (count != null && counts.merge(arguments[0], -1, Integer::sum) == 0)
        {
            counts.remove(arguments[0]);
            gone(1);
        }
    }

    @Override
    public Object value()
    {
        return counts.isEmpty() ? null : isGreatest ? counts.lastKey() : counts.firstKey();
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(counts.size());
        counts.forEach((value, count) ->
        {
            to.writeValue(value);
            to.writeCount(count);
        });
    }

    @Override
    public void read(final StateInput from)
    {
        for (int n = from.readSize(2); n > 0; n--)
        {
            counts.put(from.readValue(), from.readCount());
            kept();
        }
    }
}

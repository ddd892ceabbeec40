package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code min} and {@code max}: an ordered bag of the values of a group, O(log n) a row.
 *
 * <p>Threads: the engine's.
 */
public final class ExtremeAccumulator extends Accumulator
{
    private static final Comparator<Object> ORDER = (a, b) -> a instanceof String left ?
        RowStore.compareTexts(left, (String)b) : compare((Comparable<?>)a, b);

    private final int column;
    private final boolean greatest;
    private final List<TreeMap<Object, long[]>> values = new ArrayList<>();

    /**
     * Makes an accumulator.
     *
     * @param column   argument, of a type with an order
     * @param greatest whether the greatest value is wanted
     */
    public ExtremeAccumulator(final int column, final boolean greatest)
    {
        this.column = column;
        this.greatest = greatest;
    }

    @SuppressWarnings("unchecked") // Values of one column have one class.
    private static <T> int compare(final Comparable<T> a, final Object b)
    {
        return a.compareTo((T)b);
    }

    @Override
    protected void open(final int group)
    {
        while (values.size() <= group)
        {
            values.add(null);
        }
        values.set(group, new TreeMap<>(ORDER));
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            values.get(group).computeIfAbsent(value(rows, row), key -> new long[1])[0]++;
        }
    }

    private Object value(final RowStore rows, final int row)
    {
        final Object value = rows.value(row, column);
        // Negative zero equals zero, but boxes differ.
        return value instanceof Double number && number == 0 ? (Object)0.0 :
            value instanceof Float small && small == 0 ? (Object)0.0f : value;
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        if (!rows.isNull(row, column))
        {
            final Object value = value(rows, row);
            final long[] count = values.get(group).get(value);
            if (--count[0] == 0)
            {
                values.get(group).remove(value);
            }
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final TreeMap<Object, long[]> bag = values.get(group);
        final Map.Entry<Object, long[]> found = greatest ? bag.lastEntry() : bag.firstEntry();
        out.set(outRow, outColumn, found == null ? null : found.getKey());
    }

    @Override
    protected void close(final int group)
    {
        values.set(group, null);
    }
}

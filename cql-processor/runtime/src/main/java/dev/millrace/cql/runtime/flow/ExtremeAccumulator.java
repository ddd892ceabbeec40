package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import java.util.Arrays;

/**
 * {@code min} and {@code max}: an ordered bag of the values of a group, O(log n) a row. Numbers and times are kept as
 * words in their order, other values as they are.
 *
 * <p>Threads: the engine's.
 */
public final class ExtremeAccumulator extends Accumulator
{
    private static final int FIRST_LENGTH = 16;
    /** Entry that holds the value that is looked for. */
    private static final int PROBE = 0;

    private final int column;
    private final boolean greatest;
    private final SortedEntries sorted = new SortedEntries(this::compare);
    private int[] roots = new int[FIRST_LENGTH];
    private long[] words = new long[FIRST_LENGTH];
    private Object[] references = new Object[0];
    private long[] counts = new long[FIRST_LENGTH];
    /** Unused entries, one leads to the next by its count. */
    private int firstFree = SortedEntries.NONE;
    private int used = PROBE + 1;

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
        Arrays.fill(roots, SortedEntries.NONE);
    }

    private int compare(final int a, final int b)
    {
        if (references.length == 0)
        {
            return Long.compare(words[a], words[b]);
        }
        return compare(references[a], references[b]);
    }

    @SuppressWarnings("unchecked") // values of one column have one class
    private static int compare(final Object a, final Object b)
    {
        if (a instanceof String text)
        {
            return RowStore.compareTexts(text, (String)b);
        }
        return a instanceof byte[] bytes ? Arrays.compare(bytes, (byte[])b) : ((Comparable<Object>)a).compareTo(b);
    }

    @Override
    protected void open(final int group)
    {
        if (group >= roots.length)
        {
            final int before = roots.length;
            roots = Arrays.copyOf(roots, group * 2);
            Arrays.fill(roots, before, roots.length, SortedEntries.NONE);
        }
        close(group);
    }

    /** Makes the probe equal to the value of a row. */
    private void probe(final RowStore rows, final int row)
    {
        switch (rows.layout().type(column))
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> words[PROBE] = rows.getLong(row, column);
            case FLOAT, DOUBLE -> words[PROBE] = inOrder(Double.doubleToLongBits(rows.getDouble(row, column) + 0.0));
            default ->
            {
                if (references.length == 0)
                {
                    references = new Object[words.length];
                }
                references[PROBE] = rows.getReference(row, column);
            }
        }
    }

    /** Bits of doubles as whole numbers of the same order; NaN is the greatest. The same brings them back. */
    private static long inOrder(final long bits)
    {
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        if (rows.isNull(row, column))
        {
            return;
        }
        probe(rows, row);
        final int known = sorted.find(roots[group], PROBE);
        if (known != SortedEntries.NONE)
        {
            counts[known]++;
            return;
        }
        final int entry = takeEntry();
        words[entry] = words[PROBE];
        if (references.length > 0)
        {
            references[entry] = references[PROBE];
        }
        counts[entry] = 1;
        roots[group] = sorted.add(roots[group], entry);
    }

    private int takeEntry()
    {
        if (firstFree != SortedEntries.NONE)
        {
            final int entry = firstFree;
            firstFree = (int)counts[entry];
            return entry;
        }
        if (used == words.length)
        {
            words = Arrays.copyOf(words, used * 2);
            counts = Arrays.copyOf(counts, used * 2);
            references = references.length == 0 ? references : Arrays.copyOf(references, used * 2);
        }
        return used++;
    }

    private void free(final int entry)
    {
        if (references.length > 0)
        {
            references[entry] = null;
        }
        counts[entry] = firstFree;
        firstFree = entry;
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        if (rows.isNull(row, column))
        {
            return;
        }
        probe(rows, row);
        final int entry = sorted.find(roots[group], PROBE);
        // None when a function before gave another value than for the same row when it entered.
        if (entry != SortedEntries.NONE && --counts[entry] == 0)
        {
            roots[group] = sorted.remove(roots[group], entry);
            free(entry);
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final int entry = greatest ? sorted.last(roots[group]) : sorted.first(roots[group]);
        if (entry == SortedEntries.NONE)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        final CqlType type = out.layout().type(outColumn);
        switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> out.setLong(outRow, outColumn, words[entry]);
            case FLOAT, DOUBLE -> out.setDouble(outRow, outColumn, Double.longBitsToDouble(inOrder(words[entry])));
            default -> out.setReference(outRow, outColumn, references[entry]);
        }
    }

    @Override
    protected void close(final int group)
    {
        while (roots[group] != SortedEntries.NONE)
        {
            final int entry = sorted.first(roots[group]);
            roots[group] = sorted.remove(roots[group], entry);
            free(entry);
        }
    }
}

package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;
import dev.millrace.cql.runtime.SlotObjects;
import java.util.Arrays;

/**
 * {@code min} and {@code max}: an ordered bag of the values of a group, O(log n) a row. Numbers and times are kept as
 * words in their order, other values as they are.
 *
 * <p>Threads: the engine's.
 */
public final class ExtremeAccumulator extends Accumulator
{
    private static final int WORD = 0;
    private static final int COUNT = 1;
    /** Entry that holds the value that is looked for. */
    private static final int PROBE = 0;

    /** A node, its value as a word and as a reference, and its count. */
    private static final long ENTRY_BYTES = 3 * Integer.BYTES + 2 * Long.BYTES + 4;

    private final int column;
    private final boolean greatest;
    private final SortedEntries sorted = new SortedEntries(new ValueOrder());
    private final SlotInts roots = new SlotInts(1, SortedEntries.NONE);
    /** Of each entry: the value as a word, and how often it occurs. */
    private final SlotLongs entries = new SlotLongs(2);
    /** The values of a type that has no words. */
    private final SlotObjects<Object> references = new SlotObjects<>();
    private boolean hasReferences;
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
        entries.reach(PROBE);
        references.reach(PROBE);
    }

    /** Entries by their values. */
    private final class ValueOrder implements SortedEntries.Order
    {
        private long word;
        private Object reference;

        @Override
        public void seek(final int entry)
        {
            word = entries.get(entry, WORD);
            reference = hasReferences ? references.get(entry) : null;
        }

        @Override
        public int compareTo(final int other)
        {
            return hasReferences ? compare(reference, references.get(other)) :
                Long.compare(word, entries.get(other, WORD));
        }
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
        roots.reach(group);
        close(group);
    }

    /** Makes the probe equal to the value of a row. */
    private void probe(final RowStore rows, final int row)
    {
        switch (rows.layout().type(column))
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> entries.set(PROBE, WORD, rows.getLong(row, column));
            case FLOAT, DOUBLE ->
                entries.set(PROBE, WORD, inOrder(Double.doubleToLongBits(rows.getDouble(row, column) + 0.0)));
            default ->
            {
                hasReferences = true;
                references.set(PROBE, rows.getReference(row, column));
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
        final int root = roots.get(group);
        final int known = sorted.find(root, PROBE);
        if (known != SortedEntries.NONE)
        {
            entries.chunk(known)[entries.at(known) + COUNT]++;
            return;
        }
        final int entry = takeEntry();
        entries.set(entry, WORD, entries.get(PROBE, WORD));
        entries.set(entry, COUNT, 1);
        if (hasReferences)
        {
            references.reach(entry);
            references.set(entry, references.get(PROBE));
        }
        roots.set(group, sorted.addHere(root, entry));
    }

    private int takeEntry()
    {
        if (firstFree != SortedEntries.NONE)
        {
            final int entry = firstFree;
            firstFree = (int)entries.get(entry, COUNT);
            return entry;
        }
        refuseWhenShort();
        memory().charge(ENTRY_BYTES);
        entries.reach(used);
        return used++;
    }

    private void free(final int entry)
    {
        if (hasReferences)
        {
            references.set(entry, null);
        }
        entries.set(entry, COUNT, firstFree);
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
        final int root = roots.get(group);
        final int entry = sorted.find(root, PROBE);
        // None when a function before gave another value than for the same row when it entered.
        if (entry == SortedEntries.NONE)
        {
            return;
        }
        if (--entries.chunk(entry)[entries.at(entry) + COUNT] == 0)
        {
            roots.set(group, sorted.removeHere(root, entry));
            free(entry);
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final int entry = greatest ? sorted.last(roots.get(group)) : sorted.first(roots.get(group));
        if (entry == SortedEntries.NONE)
        {
            out.setNull(outRow, outColumn);
            return;
        }
        final long word = entries.get(entry, WORD);
        switch (out.layout().type(outColumn))
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> out.setLong(outRow, outColumn, word);
            case FLOAT, DOUBLE -> out.setDouble(outRow, outColumn, Double.longBitsToDouble(inOrder(word)));
            default -> out.setReference(outRow, outColumn, references.get(entry));
        }
    }

    @Override
    protected void close(final int group)
    {
        int root = roots.get(group);
        while (root != SortedEntries.NONE)
        {
            final int entry = sorted.first(root);
            root = sorted.remove(root, entry);
            free(entry);
        }
        roots.set(group, root);
    }
}

package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SlotObjects;

/**
 * Lets each different argument reach another accumulator once. Threads: the engine's.
 */
public final class DistinctAccumulator extends Accumulator
{
    private final Accumulator target;
    /** What the first values of a group take before its tables grow. */
    private static final long GROUP_BYTES = 512;
    /** Of a value: its entry, its count and its share of a table; the store charges the row. */
    private static final long VALUE_BYTES = 48;

    private final RowStore values;
    private final int[] columns;
    private final SlotObjects<RowCounts> seen = new SlotObjects<>();

    /**
     * Makes an accumulator.
     *
     * @param target  what is computed; its argument columns count from 0
     * @param columns arguments
     * @param values  store of the arguments, one column each
     */
    public DistinctAccumulator(final Accumulator target, final int[] columns, final RowStore values)
    {
        this.target = target;
        this.columns = columns.clone();
        this.values = values;
    }

    @Override
    void faults(final RowFaults to)
    {
        target.faults(to);
    }

    @Override
    void memory(final MemoryAccount of)
    {
        super.memory(of);
        target.memory(of);
    }

    @Override
    long groupBytes()
    {
        return GROUP_BYTES + target.groupBytes();
    }

    @Override
    protected void open(final int group)
    {
        seen.reach(group);
        seen.set(group, RowCounts.uncharged(values));
        target.open(group);
    }

    private int copy(final RowStore rows, final int row)
    {
        final int copy = values.allocateBeyondBound();
        for (int i = 0; i < columns.length; i++)
        {
            values.copy(rows, row, columns[i], copy, i);
        }
        return copy;
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        final int copy = copy(rows, row);
        try
        {
            final RowCounts ofGroup = seen.get(group);
            if (ofGroup.count(ofGroup.find(copy)) == 0)
            {
                begin(group, copy);
            }
            ofGroup.change(copy, 1);
        }
        finally
        {
            values.release(copy);
        }
    }

    /** Passes a value on that the group has not. */
    private void begin(final int group, final int value)
    {
        if (values.isOverBound())
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "more different values than may be kept, " +
                "maxValues=" + values.maxRows());
        }
        refuseWhenShort();
        target.plus(group, values, value);
        memory().charge(VALUE_BYTES);
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        final int copy = copy(rows, row);
        try
        {
            final RowCounts ofGroup = seen.get(group);
            final int entry = ofGroup.change(copy, -1);
            if (ofGroup.count(entry) == 0)
            {
                ofGroup.drop(entry);
                memory().release(VALUE_BYTES);
                target.minus(group, values, copy);
            }
        }
        finally
        {
            values.release(copy);
        }
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        target.write(group, out, outRow, outColumn);
    }

    @Override
    protected void close(final int group)
    {
        // Entries hold claims on rows of the store; only a group that is forgotten has any left.
        memory().release(seen.get(group).size() * VALUE_BYTES);
        seen.get(group).dropAll();
        seen.set(group, null);
        target.close(group);
    }
}

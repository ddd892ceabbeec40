package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.state.StatePart;

/**
 * All rows of a relation in the order in which they came; one leaves by its value.
 *
 * <p>Threads: the engine's.
 */
public final class WholeRows implements StatePart
{
    /** The row that enters or leaves: to be filled before. */
    public final long[] key;
    private final RowSlab rows;
    private final EqualRows equal;
    private int first = RowSlab.NONE;
    private int last = RowSlab.NONE;
    private boolean hasChanged;

    /**
     * Makes an empty one.
     *
     * @param words   of a row
     * @param codes   those of them that are codes
     * @param maxRows how many rows there may be
     * @param memory  asked before it grows
     */
    public WholeRows(final int words, final HeldCodes codes, final int maxRows, final MemoryAccount memory)
    {
        rows = new RowSlab(words, codes, maxRows, memory);
        equal = new EqualRows(words, codes, maxRows, memory);
        key = equal.key;
    }

    /**
     * The row {@link #key} enters.
     *
     * @return false when there is no room for it
     */
    public boolean enter()
    {
        final int row = rows.take();
        if (row == RowSlab.NONE)
        {
            return false;
        }
        if (!equal.add(row))
        {
            rows.free(row);
            return false;
        }
        System.arraycopy(key, 0, rows.words, row * rows.width, rows.width);
        rows.hold(row, true);
        rows.append(row, last);
        first = first == RowSlab.NONE ? row : first;
        last = row;
        hasChanged = true;
        return true;
    }

    /** The oldest of the rows that equal {@link #key} leaves; nothing happens when there is none. */
    public void leave()
    {
        final int row = equal.poll();
        if (row == RowSlab.NONE)
        {
            return;
        }
        first = first == row ? rows.next(row) : first;
        last = last == row ? rows.previous(row) : last;
        rows.unlink(row);
        rows.hold(row, false);
        rows.free(row);
        hasChanged = true;
    }

    /**
     * Whether rows have entered or left since it was last asked.
     *
     * @return true when the relation is another
     */
    public boolean hasChanged()
    {
        final boolean changed = hasChanged;
        hasChanged = false;
        return changed;
    }

    /**
     * The oldest row.
     *
     * @return row, {@link RowSlab#NONE} when there is none
     */
    public int first()
    {
        return first;
    }

    /**
     * The row that came after another.
     *
     * @param row that is there
     * @return row, {@link RowSlab#NONE} when there is none
     */
    public int next(final int row)
    {
        return rows.next(row);
    }

    /**
     * Longs of all rows.
     *
     * @return one row after the other
     */
    public long[] words()
    {
        return rows.words;
    }

    /**
     * How many rows there are.
     *
     * @return at least 0
     */
    public int size()
    {
        return rows.size();
    }

    /** Erases values that no row has any more: when a batch is over. */
    public void sweep()
    {
        equal.sweep();
    }

    @Override
    public void write(final StateOutput to)
    {
        rows.write(to);
        equal.write(to);
        to.writeInt(first);
        to.writeInt(last);
        to.writeBoolean(hasChanged);
    }

    @Override
    public void read(final StateInput from)
    {
        rows.read(from);
        equal.read(from);
        first = from.readInt();
        last = from.readInt();
        hasChanged = from.readBoolean();
    }
}

package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * All rows of a relation in order of arrival; a row leaves by its value.
 *
 * <p>Confined to the engine thread.
 */
public final class RelationBag implements StateHolder
{
    /** The row that enters or leaves; the caller fills it first. */
    public final long[] key;
    private final RowSlab rows;
    private final RowsByValue equal;
    private int first = RowSlab.NONE;
    private int last = RowSlab.NONE;
    private boolean hasChanged;

    /**
     * @param words   per row
     * @param codes   those words that are codes
     * @param maxRows maximum number of rows
     * @param memory  checked before it grows
     */
    public RelationBag(final int words, final CodeColumns codes, final int maxRows, final MemoryAccount memory)
    {
        rows = new RowSlab(words, codes, maxRows, memory);
        equal = new RowsByValue(words, codes, maxRows, memory);
        key = equal.key;
    }

    /**
     * Adds the row {@link #key}.
     *
     * @return false when the maximum is reached
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

    /** Removes the oldest of the rows that equal {@link #key}, if there is one. */
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

    /** Whether rows have entered or left since the last call. */
    public boolean hasChanged()
    {
        final boolean changed = hasChanged;
        hasChanged = false;
        return changed;
    }

    /** The oldest row, {@link RowSlab#NONE} if none exists. */
    public int first()
    {
        return first;
    }

    /** The row that arrived after another one, {@link RowSlab#NONE} if none exists. */
    public int next(final int row)
    {
        return rows.next(row);
    }

    /** Longs of all rows, one row after another. */
    public long[] words()
    {
        return rows.words;
    }

    public int size()
    {
        return rows.size();
    }

    /** Erases values that no row has; called at the end of a batch. */
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

package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * GROUP BY: keys and aggregates of each group of a relation. A group exists while it has rows; without keys there is
 * one group, from the beginning of time. A group whose values change leaves with the old row and enters with the new
 * one, once an instant.
 *
 * <p>Threads: the engine's.
 */
public final class GroupOperator extends FlowOperator
{
    private final FlowOperator input;
    private final int[] keys;
    private final int[] keyColumns;
    private final Accumulator[] accumulators;
    private final int maxGroups;
    /** Groups by their row of keys. */
    private final RowIndex groups;
    private long[] sizes = new long[16];
    /** The row of a group that consumers know; -1 when there is none. */
    private int[] shown = new int[16];
    private boolean[] isTouched = new boolean[16];
    private int[] touched = new int[16];
    private int touchedCount;
    private boolean isOpen;

    /**
     * Makes an operator.
     *
     * @param input        relation
     * @param keys         columns of the input, which become the first columns of the result
     * @param accumulators the further columns
     * @param rows         store of the result
     * @param maxGroups    bound; rows of further groups are turned away
     */
    public GroupOperator(final FlowOperator input, final int[] keys, final Accumulator[] accumulators,
        final RowStore rows, final int maxGroups)
    {
        super(rows, input);
        this.input = input;
        this.keys = keys.clone();
        this.accumulators = accumulators.clone();
        this.maxGroups = maxGroups;
        keyColumns = new int[keys.length];
        Arrays.setAll(keyColumns, i -> i);
        groups = new RowIndex(rows, keyColumns);
        wakeAt(keys.length == 0 ? BEGINNING : NEVER);
    }

    @Override
    protected void process(final long nowNs)
    {
        wakeAt(NEVER);
        touchedCount = 0;
        if (keys.length == 0 && !isOpen)
        {
            isOpen = true;
            touch(newGroup(NO_ROW));
        }
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            take(in.row(i), in.isPlus(i));
        }
        for (int i = 0; i < touchedCount; i++)
        {
            show(touched[i]);
        }
    }

    private static final int NO_ROW = -1;

    private void take(final int row, final boolean enters)
    {
        int group = groups.find(input.store(), row, keys);
        if (group == RowIndex.NONE)
        {
            if (!enters)
            {
                // Its group was turned away.
                return;
            }
            if (groups.size() >= maxGroups)
            {
                reject(dev.millrace.cql.runtime.RowRejection.STATE_FULL, "more groups than may be kept, maxGroups=" +
                    maxGroups);
                return;
            }
            group = newGroup(row);
        }
        touch(group);
        sizes[group] += enters ? 1 : -1;
        for (final Accumulator accumulator : accumulators)
        {
            try
            {
                if (enters)
                {
                    accumulator.plus(group, input.store(), row);
                }
                else
                {
                    accumulator.minus(group, input.store(), row);
                }
            }
            catch (final RowRejectedException cause)
            {
                reject(cause);
            }
        }
    }

    private int newGroup(final int row)
    {
        final int keyRow = store().allocateBeyondBound();
        for (int i = 0; i < keys.length; i++)
        {
            store().copy(input.store(), row, keys[i], keyRow, i);
        }
        final int group = groups.add(keyRow);
        store().release(keyRow);
        if (group >= sizes.length)
        {
            final int length = group * 2;
            sizes = Arrays.copyOf(sizes, length);
            shown = Arrays.copyOf(shown, length);
            isTouched = Arrays.copyOf(isTouched, length);
        }
        sizes[group] = 0;
        shown[group] = NO_ROW;
        for (final Accumulator accumulator : accumulators)
        {
            accumulator.open(group);
        }
        return group;
    }

    private void touch(final int group)
    {
        if (isTouched[group])
        {
            return;
        }
        isTouched[group] = true;
        if (touchedCount == touched.length)
        {
            touched = Arrays.copyOf(touched, touchedCount * 2);
        }
        touched[touchedCount++] = group;
    }

    private void show(final int group)
    {
        isTouched[group] = false;
        final int before = shown[group];
        final int now = sizes[group] > 0 || keys.length == 0 ? row(group) : NO_ROW;
        if (before != NO_ROW && now != NO_ROW && RowStore.equalRows(store(), before, store(), now))
        {
            store().release(now);
            return;
        }
        if (before != NO_ROW)
        {
            delta().give(before, false);
        }
        shown[group] = now;
        if (now != NO_ROW)
        {
            delta().add(now, true);
        }
        else
        {
            closeIfEmpty(group);
        }
    }

    private void closeIfEmpty(final int group)
    {
        if (sizes[group] == 0)
        {
            for (final Accumulator accumulator : accumulators)
            {
                accumulator.close(group);
            }
            groups.remove(group);
        }
    }

    /** The row of a group as it is now; -1 when it cannot be computed. */
    private int row(final int group)
    {
        final int row = store().allocateBeyondBound();
        try
        {
            for (int i = 0; i < keys.length; i++)
            {
                store().copy(store(), groups.row(group), i, row, i);
            }
            for (int i = 0; i < accumulators.length; i++)
            {
                accumulators[i].write(group, store(), row, keys.length + i);
            }
            return row;
        }
        catch (final RowRejectedException cause)
        {
            store().release(row);
            reject(cause);
            return NO_ROW;
        }
    }

    @Override
    public long stateSize()
    {
        return groups.size();
    }
}

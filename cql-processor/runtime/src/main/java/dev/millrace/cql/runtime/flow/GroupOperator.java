package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.IdleSweep;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SlotLongs;
import java.util.Arrays;

/**
 * GROUP BY: keys and aggregates of each group of a relation. A group exists while it has rows; without keys there is
 * one group, from the beginning of time. A group whose values change leaves with the old row and enters with the new
 * one, once an instant. A row that an aggregate cannot take is turned away and leaves no trace, nor when it leaves.
 *
 * <p>Threads: the engine's.
 */
public final class GroupOperator extends FlowOperator
{
    /** How many rows it has. */
    private static final int SIZE = 0;
    /** Twice the row that consumers know, -1 when there is none, and 1 more when it changes in this instant. */
    private static final int SHOWN = 1;

    private final FlowOperator input;
    private final int[] keys;
    private final int[] keyColumns;
    private final Accumulator[] accumulators;
    private final int maxGroups;
    /** Groups by their row of keys. */
    private final RowIndex groups;
    /** Words of each group. */
    private final SlotLongs states;
    /** Groups of this instant: as many are copied, when it grows, as the instant has changed. */
    private int[] touched = new int[16];
    private int touchedCount;
    private boolean isOpen;
    /** One more than the greatest group so far. */
    private int usedGroups;
    /** When values change although no row enters or leaves. */
    private long changesNs = NEVER;
    private final LostRows lost;
    /** Of a group, with what its aggregates keep of it. */
    private final long groupBytes;
    /** Forgets groups without rows for a time; {@code null} when they stay as long as the language says. */
    private final IdleSweep idle;

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
        this(input, keys, accumulators, rows, maxGroups, 0);
    }

    /**
     * Makes an operator that forgets idle groups of a growing input.
     *
     * @param input        relation
     * @param keys         columns of the input, which become the first columns of the result
     * @param accumulators the further columns
     * @param rows         store of the result
     * @param maxGroups    bound; rows of further groups are turned away
     * @param idleNs       how long a group may be without new rows; 0 for ever, and where rows leave by themselves
     */
    public GroupOperator(final FlowOperator input, final int[] keys, final Accumulator[] accumulators,
        final RowStore rows, final int maxGroups, final long idleNs)
    {
        super(rows, input);
        this.input = input;
        this.keys = keys.clone();
        this.accumulators = accumulators.clone();
        this.maxGroups = maxGroups;
        keyColumns = new int[keys.length];
        Arrays.setAll(keyColumns, i -> i);
        groups = RowIndex.unique(rows, keyColumns);
        states = new SlotLongs(2, rows.memory());
        lost = new LostRows(input.store(), LostRows.MAX_ROWS);
        long bytes = 0;
        for (final Accumulator accumulator : accumulators)
        {
            accumulator.faults(this::reject);
            accumulator.memory(rows.memory());
            bytes += accumulator.groupBytes();
        }
        groupBytes = bytes;
        idle = idleNs > 0 && keys.length > 0 && input.isStream() ? new IdleSweep(idleNs, rows.memory()) : null;
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
            openOnlyGroup();
        }
        final boolean isChange = changesNs <= nowNs;
        changesNs = nextChangeNs(nowNs);
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                enter(in.row(i));
            }
            else
            {
                leave(in.row(i));
            }
        }
        if (changesNs != NEVER)
        {
            followTime(isChange);
        }
        for (int i = 0; i < touchedCount; i++)
        {
            if (idle != null)
            {
                idle.touched(touched[i], nowNs);
            }
            show(touched[i]);
        }
        if (idle != null)
        {
            idle.sweep(nowNs, in.size(), this::forget);
        }
    }

    private static final int NO_ROW = -1;

    private long nextChangeNs(final long nowNs)
    {
        long nextNs = NEVER;
        for (final Accumulator accumulator : accumulators)
        {
            nextNs = Math.min(nextNs, accumulator.nextChangeNs(nowNs));
        }
        return nextNs;
    }

    /** Shows all groups anew when their values have changed with time; without groups time passes unseen. */
    private void followTime(final boolean isChange)
    {
        boolean hasRows = false;
        for (int group = 0; group < usedGroups; group++)
        {
            if (states.get(group, SIZE) > 0)
            {
                hasRows = true;
                if (!isChange)
                {
                    break;
                }
                touch(group);
            }
        }
        wakeAt(hasRows ? changesNs : NEVER);
    }

    private void openOnlyGroup()
    {
        try
        {
            touch(newGroup(NO_ROW));
        }
        catch (final RowRejectedException cause)
        {
            // Rows try again.
            reject(cause);
        }
    }

    private void enter(final int row)
    {
        try
        {
            final int group = groupOf(row);
            touch(group);
            plus(group, row);
            states.chunk(group)[states.at(group) + SIZE]++;
        }
        catch (final RowRejectedException cause)
        {
            final boolean isRemembered = input.isStream() || lost.add(input.store(), row);
            reject(cause.reason(), cause.getMessage() + (isRemembered ? "" : LostRows.FORGOTTEN));
        }
    }

    private int groupOf(final int row)
    {
        final int group = groups.find(input.store(), row, keys);
        if (group != RowIndex.NONE)
        {
            return group;
        }
        if (groups.size() >= maxGroups)
        {
            throw new RowRejectedException(
                RowRejection.STATE_FULL, "more groups than may be kept, maxGroups=" + maxGroups);
        }
        if (store().memory().isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, store().memory().shortage());
        }
        return newGroup(row);
    }

    /** Gives a row to all aggregates or to none. */
    private void plus(final int group, final int row)
    {
        int taken = 0;
        try
        {
            for (; taken < accumulators.length; taken++)
            {
                accumulators[taken].plus(group, input.store(), row);
            }
        }
        finally
        {
            for (int i = taken < accumulators.length ? taken - 1 : -1; i >= 0; i--)
            {
                minus(accumulators[i], group, row);
            }
        }
    }

    private void minus(final Accumulator accumulator, final int group, final int row)
    {
        try
        {
            accumulator.minus(group, input.store(), row);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
        }
    }

    private void leave(final int row)
    {
        if (lost.remove(input.store(), row))
        {
            return;
        }
        final int group = groups.find(input.store(), row, keys);
        if (group == RowIndex.NONE)
        {
            // Turned away when there was no room to remember it.
            return;
        }
        touch(group);
        states.chunk(group)[states.at(group) + SIZE]--;
        for (final Accumulator accumulator : accumulators)
        {
            minus(accumulator, group, row);
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
        usedGroups = Math.max(usedGroups, group + 1);
        states.reach(group);
        states.set(group, SIZE, 0);
        states.set(group, SHOWN, 2L * NO_ROW);
        open(group);
        store().memory().charge(groupBytes);
        return group;
    }

    private void open(final int group)
    {
        boolean isDone = false;
        try
        {
            for (final Accumulator accumulator : accumulators)
            {
                accumulator.open(group);
            }
            isDone = true;
        }
        finally
        {
            if (!isDone)
            {
                groups.remove(group);
            }
        }
    }

    private void touch(final int group)
    {
        final long[] words = states.chunk(group);
        final int at = states.at(group) + SHOWN;
        if ((words[at] & 1) != 0)
        {
            return;
        }
        words[at]++;
        if (touchedCount == touched.length)
        {
            touched = Arrays.copyOf(touched, touchedCount * 2);
        }
        touched[touchedCount++] = group;
    }

    private void show(final int group)
    {
        final long[] words = states.chunk(group);
        final int at = states.at(group);
        final int before = (int)(words[at + SHOWN] >> 1);
        words[at + SHOWN] = 2L * before;
        final int now = words[at + SIZE] > 0 || keys.length == 0 ? row(group) : NO_ROW;
        if (before != NO_ROW && now != NO_ROW && RowStore.equalRows(store(), before, store(), now))
        {
            store().release(now);
            return;
        }
        if (before != NO_ROW)
        {
            delta().give(before, false);
        }
        words[at + SHOWN] = 2L * now;
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
        if (states.get(group, SIZE) == 0)
        {
            for (final Accumulator accumulator : accumulators)
            {
                accumulator.close(group);
            }
            store().memory().release(groupBytes);
            groups.remove(group);
            if (idle != null)
            {
                idle.gone(group);
            }
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

    /** Groups that are still there when what they were made of is gone: of rows that nobody keeps. */
    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        for (final int group : groups.entriesOf(partitions, column))
        {
            forget(group);
        }
    }

    /** The row that consumers know leaves. */
    private void forget(final int group)
    {
        states.set(group, SIZE, 0);
        touch(group);
        show(group);
    }

    @Override
    public long forgottenKeys()
    {
        return idle == null ? 0 : idle.forgotten();
    }

    @Override
    public long stateSize()
    {
        return groups.size();
    }
}

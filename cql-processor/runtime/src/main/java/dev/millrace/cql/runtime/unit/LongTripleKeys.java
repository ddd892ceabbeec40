package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;

/** A {@link KeyTable} whose keys are three longs. Confined to the engine thread. */
public final class LongTripleKeys extends KeyTable
{
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final long SPREAD_SECOND = 0xC2B2AE3D27D4EB4FL;
    private static final long SPREAD_THIRD = 0x165667B19E3779F9L;
    private static final int FOLD = 29;

    /**
     * @param width   longs per record, including the key
     * @param maxKeys maximum number of living keys
     * @param memory  checked before the table grows
     */
    public LongTripleKeys(final int width, final int maxKeys, final MemoryAccount memory)
    {
        super(3, width, maxKeys, memory);
    }

    private static int hash(final long first, final long second, final long third)
    {
        final long two = (first ^ second * SPREAD_SECOND) * SPREAD;
        final long mixed = (two ^ two >>> FOLD ^ third * SPREAD_THIRD) * SPREAD;
        return (int)((mixed ^ mixed >>> FOLD) * SPREAD >>> Integer.SIZE);
    }

    @Override
    protected int hashAt(final int at)
    {
        return hash(records[at], records[at + 1], records[at + 2]);
    }

    private int find(final int hash, final long first, final long second, final long third)
    {
        final int[] all = slots;
        final int mask = all.length - 1;
        final int tag = tag(hash);
        int slot = hash >>> shift;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            final int id = (entry & mask) - 1;
            final int at = id * width;
            if ((entry & ~mask) == tag && records[at] == first && records[at + 1] == second && records[at + 2] == third)
            {
                return id;
            }
            slot = slot + 1 & mask;
        }
        return FULL;
    }

    /**
     * Finds a key ahead, without adding it.
     *
     * @param row number of the row in the batch
     */
    public void lookAhead(final int row, final long first, final long second, final long third)
    {
        found(row, find(hash(first, second, third), first, second, third));
    }

    /**
     * The id of a key; a new key is added.
     *
     * @return id, or {@link #FULL}
     */
    public int findOrAdd(final long first, final long second, final long third)
    {
        final int hash = hash(first, second, third);
        final int known = find(hash, first, second, third);
        if (known != FULL)
        {
            return known;
        }
        final int id = add(hash);
        if (id != FULL)
        {
            records[id * width] = first;
            records[id * width + 1] = second;
            records[id * width + 2] = third;
            return taken(id);
        }
        return FULL;
    }
}

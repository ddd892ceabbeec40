package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;

/** A {@link KeyTable} whose keys are two longs. Confined to the engine thread. */
public final class LongPairKeys extends KeyTable
{
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final long SPREAD_SECOND = 0xC2B2AE3D27D4EB4FL;
    private static final int FOLD = 29;

    /**
     * @param width   longs per record, including the key
     * @param maxKeys maximum number of living keys
     * @param memory  checked before the table grows
     */
    public LongPairKeys(final int width, final int maxKeys, final MemoryAccount memory)
    {
        super(2, width, maxKeys, memory);
    }

    private static int hash(final long first, final long second)
    {
        final long mixed = (first ^ second * SPREAD_SECOND) * SPREAD;
        return (int)((mixed ^ mixed >>> FOLD) * SPREAD >>> Integer.SIZE);
    }

    @Override
    protected int hashAt(final int at)
    {
        return hash(records[at], records[at + 1]);
    }

    private int find(final int hash, final long first, final long second)
    {
        final int[] all = slots;
        final int mask = all.length - 1;
        final int tag = tag(hash);
        int slot = hash >>> shift;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            final int id = (entry & mask) - 1;
            final int at = id * width;
            if ((entry & ~mask) == tag && records[at] == first && records[at + 1] == second)
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
    public void lookAhead(final int row, final long first, final long second)
    {
        found(row, find(hash(first, second), first, second));
    }

    /**
     * The id of a key; a new key is added.
     *
     * @return id, or {@link #FULL}
     */
    public int findOrAdd(final long first, final long second)
    {
        final int hash = hash(first, second);
        final int known = find(hash, first, second);
        if (known != FULL)
        {
            return known;
        }
        final int id = add(hash);
        if (id != FULL)
        {
            records[id * width] = first;
            records[id * width + 1] = second;
            return taken(id);
        }
        return FULL;
    }
}

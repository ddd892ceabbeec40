package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;

/** A {@link KeyTable} whose keys are one long. Confined to the engine thread. */
public final class LongKeys extends KeyTable
{
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * @param width   longs per record, including the key
     * @param maxKeys maximum number of living keys
     * @param memory  checked before the table grows
     */
    public LongKeys(final int width, final int maxKeys, final MemoryAccount memory)
    {
        super(1, width, maxKeys, memory);
    }

    private static int hash(final long key)
    {
        return (int)(key * SPREAD >>> Integer.SIZE);
    }

    @Override
    protected int hashAt(final int at)
    {
        return hash(records[at]);
    }

    private int find(final int hash, final long key)
    {
        final int[] all = slots;
        final int mask = all.length - 1;
        final int tag = tag(hash);
        int slot = hash >>> shift;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            final int id = (entry & mask) - 1;
            if ((entry & ~mask) == tag && records[id * width] == key)
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
    public void lookAhead(final int row, final long key)
    {
        found(row, find(hash(key), key));
    }

    /**
     * The id of a key; a new key is added.
     *
     * @return id, or {@link #FULL}
     */
    public int findOrAdd(final long key)
    {
        final int hash = hash(key);
        final int known = find(hash, key);
        if (known != FULL)
        {
            return known;
        }
        final int id = add(hash);
        if (id != FULL)
        {
            records[id * width] = key;
            return taken(id);
        }
        return FULL;
    }
}

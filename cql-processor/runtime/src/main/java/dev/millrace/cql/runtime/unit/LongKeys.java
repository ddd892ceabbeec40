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

    /**
     * The id of a key; a new key is added.
     *
     * @return id, or {@link #FULL}
     */
    public int findOrAdd(final long key)
    {
        final int hash = hash(key);
        final int mask = slots.length - 1;
        int slot = hash >>> shift;
        while (slots[slot] != 0)
        {
            final int id = slots[slot] - 1;
            if (records[id * width] == key)
            {
                return id;
            }
            slot = slot + 1 & mask;
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

package dev.millrace.cql.runtime.unit;

import dev.millrace.api.memory.MemoryAccount;

/** A {@link KeyTable} whose keys are any number of longs. Confined to the engine thread. */
public final class LongsKeys extends KeyTable
{
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final int FOLD = 29;

    /** The key to look up; the caller fills it before {@link #findOrAdd}. */
    public final long[] key;

    /**
     * @param keyWords longs per key; 0 for a table of one record
     * @param width    longs per record, including the key
     * @param maxKeys  maximum number of living keys
     * @param memory   checked before the table grows
     */
    public LongsKeys(final int keyWords, final int width, final int maxKeys, final MemoryAccount memory)
    {
        super(keyWords, width, maxKeys, memory);
        key = new long[keyWords];
    }

    private static int hash(final long[] words, final int from, final int count)
    {
        long hash = 1;
        for (int i = from; i < from + count; i++)
        {
            hash = (hash ^ words[i]) * SPREAD;
            hash ^= hash >>> FOLD;
        }
        return (int)(hash * SPREAD >>> Integer.SIZE);
    }

    @Override
    protected int hashAt(final int at)
    {
        return hash(records, at, key.length);
    }

    private int find(final int hash)
    {
        final int[] all = slots;
        final int mask = all.length - 1;
        final int tag = tag(hash);
        int slot = hash >>> shift;
        for (int entry = all[slot]; entry != 0; entry = all[slot])
        {
            final int id = (entry & mask) - 1;
            if ((entry & ~mask) == tag && isEqual(id * width, key))
            {
                return id;
            }
            slot = slot + 1 & mask;
        }
        return FULL;
    }

    /**
     * Finds the {@link #key} ahead, without adding it.
     *
     * @param row number of the row in the batch
     */
    public void lookAhead(final int row)
    {
        found(row, find(hash(key, 0, key.length)));
    }

    /**
     * The id of the {@link #key}; a new key is added.
     *
     * @return id, or {@link #FULL}
     */
    public int findOrAdd()
    {
        final int hash = hash(key, 0, key.length);
        final int known = find(hash);
        if (known != FULL)
        {
            return known;
        }
        final int id = add(hash);
        if (id != FULL)
        {
            System.arraycopy(key, 0, records, id * width, key.length);
            return taken(id);
        }
        return FULL;
    }
}

package dev.millrace.tuning.nexmark;

import java.util.Arrays;

/** Numbers by key: open addressing, at most half full, removal by shifting entries back. Not thread-safe. */
final class LongMap
{
    static final int NONE = -1;
    private static final int FIRST_SIZE = 1 << 12;

    long[] keys = new long[FIRST_SIZE];
    int[] values = new int[FIRST_SIZE];
    boolean[] isUsed = new boolean[FIRST_SIZE];
    private int size;

    int size()
    {
        return size;
    }

    private static int hash(final long key)
    {
        final long mixed = key * 0x9E3779B97F4A7C15L;
        return (int)(mixed ^ mixed >>> 32);
    }

    int get(final long key)
    {
        final int mask = keys.length - 1;
        for (int i = hash(key) & mask; isUsed[i]; i = i + 1 & mask)
        {
            if (keys[i] == key)
            {
                return values[i];
            }
        }
        return NONE;
    }

    void put(final long key, final int value)
    {
        final int at = place(key);
        if (isUsed[at])
        {
            values[at] = value;
        }
        else
        {
            insert(at, key, value);
        }
    }

    /** Adds to a number, initially 0, and returns the sum. */
    int add(final long key, final int change)
    {
        final int at = place(key);
        if (isUsed[at])
        {
            values[at] += change;
            return values[at];
        }
        insert(at, key, change);
        return change;
    }

    private int place(final long key)
    {
        final int mask = keys.length - 1;
        int i = hash(key) & mask;
        while (isUsed[i] && keys[i] != key)
        {
            i = i + 1 & mask;
        }
        return i;
    }

    private void insert(final int at, final long key, final int value)
    {
        keys[at] = key;
        values[at] = value;
        isUsed[at] = true;
        size++;
        if (size * 2 >= keys.length)
        {
            grow();
        }
    }

    private void grow()
    {
        final long[] oldKeys = keys;
        final int[] oldValues = values;
        final boolean[] oldUsed = isUsed;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        isUsed = new boolean[keys.length];
        for (int i = 0; i < oldKeys.length; i++)
        {
            if (oldUsed[i])
            {
                final int at = place(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
                isUsed[at] = true;
            }
        }
    }

    void remove(final long key)
    {
        final int mask = keys.length - 1;
        int hole = place(key);
        if (!isUsed[hole])
        {
            return;
        }
        size--;
        for (int i = hole + 1 & mask; isUsed[i]; i = i + 1 & mask)
        {
            final int home = hash(keys[i]) & mask;
            if ((i - home & mask) >= (i - hole & mask))
            {
                keys[hole] = keys[i];
                values[hole] = values[i];
                hole = i;
            }
        }
        isUsed[hole] = false;
    }

    void clear()
    {
        Arrays.fill(isUsed, false);
        size = 0;
    }
}

package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * Numbers by 64-bit keys, emptied after each row: growing copies no more than the row has put in.
 *
 * <p>Threads: the engine's.
 */
final class StepTable
{
    /** Nothing under the key. */
    static final int MISSING = Integer.MIN_VALUE;

    private static final int FIRST_LENGTH = 64;

    private long[] keys = new long[FIRST_LENGTH];
    private int[] values = new int[FIRST_LENGTH];
    private int[] stamps = new int[FIRST_LENGTH];
    private int stamp = 1;
    private int size;

    void clear()
    {
        size = 0;
        stamp++;
        if (stamp == 0)
        {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    private int place(final long key)
    {
        long mixed = key * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 32;
        int place = (int)mixed & keys.length - 1;
        while (stamps[place] == stamp && keys[place] != key)
        {
            place = place + 1 & keys.length - 1;
        }
        return place;
    }

    int get(final long key)
    {
        final int place = place(key);
        return stamps[place] == stamp ? values[place] : MISSING;
    }

    void put(final long key, final int value)
    {
        if (size * 2 >= keys.length)
        {
            grow();
        }
        final int place = place(key);
        if (stamps[place] != stamp)
        {
            size++;
        }
        stamps[place] = stamp;
        keys[place] = key;
        values[place] = value;
    }

    private void grow()
    {
        final long[] oldKeys = keys;
        final int[] oldValues = values;
        final int[] oldStamps = stamps;
        final int oldStamp = stamp;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        stamps = new int[keys.length];
        stamp = 1;
        size = 0;
        for (int i = 0; i < oldKeys.length; i++)
        {
            if (oldStamps[i] == oldStamp)
            {
                put(oldKeys[i], oldValues[i]);
            }
        }
    }
}

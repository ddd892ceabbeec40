package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.ResultChecksum;

/**
 * Hand-written grouped sum of strings: a separate hash table with open addressing, at most an eighth full, with the sum
 * in the slot of the string. A known string is identified by its reference; the characters of another one are compared
 * only when the hashes are equal.
 */
final class StringSumBaseline
{
    private static final int FACTOR = 0x9E3779B9;
    private static final int PLACES_PER_GROUP = 8;

    private final String[] keys;
    private final int[] hashes;
    private final int[] ids;
    private final long[] sums;
    private final int shift;
    private final SumOutput output;

    /** The table already has the names from 1, so that no round includes the time to fill it. */
    StringSumBaseline(final String[] names, final BatchSchema output, final ResultChecksum tally)
    {
        final int places = Integer.highestOneBit(names.length * PLACES_PER_GROUP - 1) * 2;
        keys = new String[places];
        hashes = new int[places];
        ids = new int[places];
        sums = new long[places];
        shift = Integer.SIZE - Integer.numberOfTrailingZeros(places);
        this.output = new SumOutput(output, tally);
        for (int i = 1; i < names.length; i++)
        {
            final int hash = names[i].hashCode();
            int place = (hash * FACTOR) >>> shift;
            while (keys[place] != null)
            {
                place = place + 1 & places - 1;
            }
            keys[place] = names[i];
            hashes[place] = hash;
            ids[place] = i;
        }
    }

    /** Processes {@code count} events; the first has the time {@code timeNs}, each other one nanosecond more. */
    void take(final String[] groups, final long[] values, final int from, final int count, final long timeNs)
    {
        final String[] known = keys;
        final long[] state = sums;
        final int right = shift;
        for (int i = 0; i < count; i++)
        {
            final String group = groups[from + i];
            final int hash = group.hashCode();
            int place = (hash * FACTOR) >>> right;
            if (known[place] != group)
            {
                place = search(group, hash, place);
            }
            final long before = state[place];
            final long after = before + values[from + i];
            state[place] = after;
            if (before >= BenchQueries.LEAST_SUM | after >= BenchQueries.LEAST_SUM)
            {
                output.change(ids[place], before, after, timeNs + i);
            }
        }
        output.flush();
    }

    private int search(final String group, final int hash, final int start)
    {
        int place = start;
        while (keys[place] != group && !(hashes[place] == hash && keys[place].equals(group)))
        {
            place = place + 1 & keys.length - 1;
        }
        return place;
    }
}

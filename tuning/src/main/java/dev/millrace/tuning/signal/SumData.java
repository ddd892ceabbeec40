package dev.millrace.tuning.signal;

import dev.millrace.api.string.StringTable;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.TickData;
import java.util.SplittableRandom;

/**
 * Events of the grouped sum: sums stay small except for one event in a thousand, which raises its group above the limit
 * until its next event.
 *
 * @param groups number of the group of each event, from 1
 * @param values values to sum
 */
record SumData(int[] groups, long[] values)
{
    private static final int ONE_IN = 1000;
    private static final int LARGEST = 50;

    static SumData of(final int count, final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final int[] groups = new int[TickData.EVENTS];
        final long[] values = new long[TickData.EVENTS];
        for (int i = 0; i + 1 < groups.length; i++)
        {
            groups[i] = 1 + random.nextInt(count);
            values[i] = random.nextInt(-LARGEST, LARGEST + 1);
            if (random.nextInt(ONE_IN) == 0)
            {
                values[i] = 2 * BenchQueries.LEAST_SUM;
                groups[i + 1] = groups[i];
                values[i + 1] = -values[i];
                i++;
            }
        }
        groups[groups.length - 1] = Math.max(1, groups[groups.length - 1]);
        return new SumData(groups, values);
    }

    /** Names of the groups by number, 0 has none; the number of each is its code in the table. */
    static String[] names(final int count, final StringTable strings)
    {
        final String[] names = new String[count + 1];
        for (int i = 1; i <= count; i++)
        {
            names[i] = "G" + i;
            strings.literal(names[i]);
        }
        return names;
    }
}

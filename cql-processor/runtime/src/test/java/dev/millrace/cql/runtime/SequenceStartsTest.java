package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds, order and memory of rows that wait. */
@Timeout(60)
class SequenceStartsTest
{
    private static final long FOREVER = Long.MIN_VALUE;

    private static List<Long> taken(final SequenceStarts starts, final int partition, final long reached,
        final long afterNs)
    {
        final int count = starts.take(starts.block(partition), reached, afterNs);
        final List<Long> times = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            times.add(starts.found()[2 * i + 1]);
        }
        return times;
    }

    private static boolean add(final SequenceStarts starts, final int partition, final long key, final long timeNs,
        final long afterNs)
    {
        final int at = starts.add(partition, key, timeNs, afterNs);
        if (at >= 0)
        {
            starts.current()[at + 1] = timeNs;
        }
        return at >= 0;
    }

    @Test
    void shouldOrderKeysAsNumbers()
    {
        final double[] numbers = {Double.NEGATIVE_INFINITY, -Double.MAX_VALUE, -1.5, -Double.MIN_VALUE, 0.0,
            Double.MIN_VALUE, 1.5, Double.MAX_VALUE, Double.POSITIVE_INFINITY};
        for (int i = 1; i < numbers.length; i++)
        {
            assertThat(SequenceStarts.key(numbers[i - 1])).isLessThan(SequenceStarts.key(numbers[i]));
        }
        assertThat(SequenceStarts.key(-0.0)).isEqualTo(SequenceStarts.key(0.0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64, 100, 1000})
    void shouldTakeNoMoreRowsThanMayWaitUntilSomeAreGone(final int max)
    {
        final SequenceStarts starts = new SequenceStarts(2, max, true);
        starts.reserve(1);
        for (int i = 0; i < max; i++)
        {
            assertThat(add(starts, 0, i, i, FOREVER)).as("row %d", i).isTrue();
        }
        assertThat(add(starts, 0, 5, max, FOREVER)).isFalse();
        assertThat(starts.size()).isEqualTo(max);
        assertThat(taken(starts, 0, 0, FOREVER)).containsExactly(0L);
        assertThat(add(starts, 0, 5000, max, FOREVER)).isTrue();
        assertThat(add(starts, 0, 5000, max, FOREVER)).isFalse();
        assertThat(add(starts, 0, 5000, max + 1L, max)).as("older ones are too old").isTrue();
    }

    @Test
    void shouldKeepPartitionsApart()
    {
        final SequenceStarts starts = new SequenceStarts(2, 10, true);
        starts.reserve(3000);
        add(starts, 2999, 1, 10, FOREVER);
        add(starts, 0, 1, 11, FOREVER);
        starts.clear(0);
        starts.clear(7);
        assertThat(taken(starts, 0, 5, FOREVER)).isEmpty();
        assertThat(taken(starts, 7, 5, FOREVER)).isEmpty();
        assertThat(taken(starts, 2999, 5, FOREVER)).containsExactly(10L);
        assertThat(starts.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldFindWhatALinearSearchFinds(final long seed)
    {
        final Random random = new Random(seed);
        final boolean once = random.nextBoolean();
        final int range = 1 + random.nextInt(3000);
        final SequenceStarts starts = new SequenceStarts(2, 5000, once);
        starts.reserve(1);
        final List<long[]> all = new ArrayList<>();
        for (int now = 0; now < 20_000; now++)
        {
            final long after = now - range;
            all.removeIf(row -> row[1] <= after);
            if (random.nextInt(once ? 20 : 500) == 0)
            {
                final int reached = random.nextInt(random.nextBoolean() ? 50 : 1000);
                final List<Long> expected = all.stream().filter(row -> row[0] <= reached).map(row -> row[1]).toList();
                assertThat(taken(starts, 0, reached, after)).as("seed %d at %d", seed, now).isEqualTo(expected);
                if (once)
                {
                    all.removeIf(row -> row[0] <= reached);
                }
            }
            if (random.nextInt(5000) == 0)
            {
                starts.clear(0);
                all.clear();
            }
            final long key = random.nextInt(1000);
            assertThat(add(starts, 0, key, now, after)).isTrue();
            all.add(new long[] {key, now});
        }
    }

    @Test
    void shouldAllocateNothingWhenRowsComeAndGo()
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)java.lang.management.ManagementFactory.getThreadMXBean();
        final SequenceStarts starts = new SequenceStarts(2, 10_000, true);
        starts.reserve(4);
        long before = 0;
        for (int now = 0; now < 400_000; now++)
        {
            if (now == 200_000)
            {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            starts.take(starts.block(now & 3), now % 997, now - 5000L);
            starts.add(now & 3, now * 31L % 1009, now, now - 5000L);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    }
}

package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RowSlotMapTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private static int slotOf(final RowSlotMap slots, final long first, final long second)
    {
        slots.key()[0] = first;
        slots.key()[1] = second;
        return slots.slotOfKey();
    }

    @Test
    void shouldGiveDenseSlotsInOrderOfFirstAppearance()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final RowSlotMap slots = new RowSlotMap(2, Integer.MAX_VALUE);
        final Map<List<Long>, Integer> expected = new HashMap<>();
        for (int i = 0; i < 300_000; i++)
        {
            final long first = random.nextInt(400);
            final long second = (long)random.nextInt(400) << 40;
            final int slot = expected.computeIfAbsent(List.of(first, second), key -> expected.size());
            assertThat(slotOf(slots, first, second)).isEqualTo(slot);
        }
        assertThat(slots.size()).isEqualTo(expected.size());
        assertThat(slots.slotLimit()).isEqualTo(expected.size());
    }

    @Test
    void shouldRefuseNewKeysOnlyWhenFull()
    {
        final RowSlotMap slots = new RowSlotMap(2, 2);
        assertThat(slotOf(slots, 1, 2)).isZero();
        assertThat(slotOf(slots, 2, 1)).isEqualTo(1);
        assertThat(slotOf(slots, 3, 3)).isEqualTo(LongSlotMap.NONE);
        assertThat(slotOf(slots, 1, 2)).isZero();
    }

    @Test
    void shouldNotMoveMoreThanAPartWhenItGrows()
    {
        final RowSlotMap slots = new RowSlotMap(2, Integer.MAX_VALUE);
        final int many = 1 << 20;
        long largest = 0;
        for (int i = 0; i < many; i++)
        {
            final long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            slotOf(slots, i, -i);
            final long now = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            largest = i < many / 4 ? 0 : Math.max(largest, now);
        }
        // Slots of 8 bytes, twice as many as keys, or a new chunk of keys, which is not a copy.
        assertThat(largest).as("most bytes allocated by a key").isLessThan(4L * many * 8 * 2 / 256);
        assertThat(slots.size()).isEqualTo(many);
    }
}

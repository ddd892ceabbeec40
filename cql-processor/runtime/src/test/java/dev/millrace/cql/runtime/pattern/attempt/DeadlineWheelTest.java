package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every deadline is handled by the first advance that reaches it, with few calls of the owner. */
@Timeout(60)
class DeadlineWheelTest
{
    private static final int PARTITIONS = 200;
    private static final long SEED = 20261129;
    /** Buckets of 1001 ns, 4096 in one revolution. */
    private static final long RANGE_NS = 4094L * 1000;

    private final MemoryAccount memory = new MemoryBudget(1 << 20, new ManualClock(0))
        .open(new MemoryHolder("app", "proc", "rule", "state"));
    private final long[] dueNs = new long[PARTITIONS];
    private final int[] calls = new int[PARTITIONS];
    private final List<Integer> fired = new ArrayList<>();

    private long fire(final int partition, final long nowNs)
    {
        calls[partition]++;
        if (dueNs[partition] > nowNs)
        {
            return dueNs[partition];
        }
        dueNs[partition] = DeadlineWheel.NEVER;
        fired.add(partition);
        return DeadlineWheel.NEVER;
    }

    private DeadlineWheel deadlines()
    {
        return new DeadlineWheel(this::fire, RANGE_NS, memory);
    }

    private void set(final DeadlineWheel deadlines, final int partition, final long timeNs)
    {
        dueNs[partition] = timeNs;
        calls[partition] = 0;
        deadlines.set(partition, timeNs);
    }

    @Test
    void shouldFireInTheOrderOfTimesWithinABucketAndChargeGrowth()
    {
        final DeadlineWheel deadlines = deadlines();
        set(deadlines, 0, 10_010);
        deadlines.advance(10_010);
        assertThat(fired).containsExactly(0);
        final long before = memory.bytes();
        final int[] offsetsNs = {500, 200, 900, 100, 700, 300, 800, 600, 400, 950, 50, 150, 250, 350, 450, 550, 650};
        for (int i = 0; i < offsetsNs.length; i++)
        {
            set(deadlines, 1 + i, 10_010 + offsetsNs[i]);
        }
        assertThat(memory.bytes() - before).as("16 times and partitions more").isEqualTo(16 * 12);
        fired.clear();
        deadlines.advance(10_010 + 49);
        assertThat(fired).isEmpty();
        deadlines.advance(10_010 + 50);
        assertThat(fired).containsExactly(11);
        deadlines.advance(10_010 + 499);
        assertThat(fired).containsExactly(11, 4, 12, 2, 13, 6, 14, 9, 15);
        deadlines.advance(10_010 + 950);
        assertThat(fired).containsExactly(11, 4, 12, 2, 13, 6, 14, 9, 15, 1, 16, 8, 17, 5, 7, 3, 10);
    }

    @Test
    void shouldFireAllThatAreDueHoweverFarTimeJumps()
    {
        for (final long jumpNs : new long[]{1, 1001, RANGE_NS / 2, RANGE_NS + 5000, 3 * RANGE_NS})
        {
            fired.clear();
            final DeadlineWheel deadlines = deadlines();
            set(deadlines, 1, -5000);
            set(deadlines, 2, -4999);
            deadlines.advance(-5000);
            assertThat(fired).as("jumpNs=%s", jumpNs).containsExactly(1);
            deadlines.advance(-4999);
            assertThat(fired).as("jumpNs=%s", jumpNs).containsExactly(1, 2);
            // Nothing is pending.
            deadlines.advance(-4999 + jumpNs);
            set(deadlines, 3, -4999 + jumpNs + RANGE_NS);
            deadlines.advance(-4999 + jumpNs + RANGE_NS - 1);
            assertThat(fired).as("jumpNs=%s", jumpNs).containsExactly(1, 2);
            deadlines.advance(-4999 + jumpNs + RANGE_NS);
            assertThat(fired).as("jumpNs=%s", jumpNs).containsExactly(1, 2, 3);
        }
    }

    @Test
    void shouldFireEachOnceItIsDueWhateverComesAndGoesAndWithRestarts()
    {
        final Random random = new Random(SEED);
        Arrays.fill(dueNs, DeadlineWheel.NEVER);
        DeadlineWheel deadlines = deadlines();
        long nowNs = 77;
        int all = 0;
        for (int step = 0; step < 3000; step++)
        {
            for (int i = random.nextInt(4); i > 0; i--)
            {
                final int partition = random.nextInt(PARTITIONS);
                if (dueNs[partition] == DeadlineWheel.NEVER)
                {
                    set(deadlines, partition, nowNs + 1 + random.nextInt(
                        random.nextBoolean() ? 1500 : (int)RANGE_NS - 1));
                }
            }
            nowNs += random.nextInt(random.nextInt(50) == 0 ? (int)RANGE_NS * 2 : 3000);
            fired.clear();
            deadlines.advance(nowNs);
            all += fired.size();
            for (int partition = 0; partition < PARTITIONS; partition++)
            {
                assertThat(dueNs[partition]).as("seed=%s step=%s partition=%s", SEED, step, partition)
                    .isGreaterThan(nowNs);
                assertThat(calls[partition]).as("calls, seed=%s step=%s partition=%s", SEED, step, partition)
                    .isLessThanOrEqualTo(2);
            }
            if (step % 10 == 0)
            {
                final StateOutput to = new StateOutput(1 << 20);
                deadlines.write(to);
                deadlines = deadlines();
                final StateInput from = new StateInput(to.toBytes());
                deadlines.read(from);
                from.end();
            }
        }
        assertThat(all).as("fired").isGreaterThan(2000);
    }
}

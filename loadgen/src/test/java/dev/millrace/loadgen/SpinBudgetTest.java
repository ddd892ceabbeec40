package dev.millrace.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Uses a simulated clock: a sleeping thread wakes up late by a fixed time, one round of spinning takes one microsecond.
 */
@Timeout(60)
class SpinBudgetTest
{
    private static final long US = 1_000;
    private static final long ROUND_NS = US;

    private long nowNs = 77 * US;
    private long spunNs;
    private long latestNs;

    /** Waits for packets due at regular intervals. */
    private void wait(final SpinBudget budget, final int packets, final long intervalNs, final long lateNs)
    {
        final long startNs = nowNs;
        for (int i = 1; i <= packets; i++)
        {
            final long dueNs = startNs + i * intervalNs;
            while (nowNs < dueNs)
            {
                final long sleepNs = budget.sleepNs(nowNs, dueNs - nowNs);
                nowNs += sleepNs == 0 ? ROUND_NS : sleepNs + lateNs;
                spunNs += sleepNs == 0 ? ROUND_NS : 0;
            }
            latestNs = Math.max(latestNs, nowNs - dueNs);
        }
    }

    @Test
    void shouldBeInTimeWhenTheBudgetCoversTheLatenessOfSleep()
    {
        wait(new SpinBudget(100 * US, 10), 1_000, 1_000 * US, 50 * US);
        assertThat(latestNs).isLessThan(ROUND_NS);
        // The thread wakes up at most 50 us before the packet is due.
        assertThat(spunNs).isBetween(1_000 * US, 1_000 * 51 * US);
    }

    @Test
    void shouldSpinNoLongerThanItsShareOfTheTime()
    {
        for (final long intervalUs : new long[] {25, 200, 1_000})
        {
            final long beforeNs = nowNs;
            spunNs = 0;
            wait(new SpinBudget(100 * US, 10), 10_000, intervalUs * US, 0);
            // In addition to the percentage: the initial budget and one round per packet.
            assertThat(spunNs).as("interval %d us", intervalUs)
                .isLessThanOrEqualTo((nowNs - beforeNs) / 10 + 100 * US + ROUND_NS);
            assertThat(spunNs).isGreaterThan((nowNs - beforeNs) / 20);
        }
    }

    @Test
    void shouldNeverSpinWithoutShareOrLength()
    {
        wait(new SpinBudget(100 * US, 0), 1_000, 200 * US, 5 * US);
        wait(new SpinBudget(0, 100), 1_000, 200 * US, 5 * US);
        assertThat(spunNs).isZero();
    }

    @Test
    void shouldSpinBeforeEachPacketWhenAllTimeIsItsOwn()
    {
        wait(new SpinBudget(100 * US, 100), 1_000, 150 * US, 70 * US);
        assertThat(latestNs).isZero();
        assertThat(spunNs).isEqualTo(1_000 * 30 * US);
    }

    @Test
    void shouldSaveNoMoreThanOneLengthInALongSilence()
    {
        final SpinBudget budget = new SpinBudget(100 * US, 10);
        budget.sleepNs(nowNs, 1);
        final long muchLaterNs = nowNs + 300L * 365 * 24 * 3_600 * 1_000_000_000 / 2;
        assertThat(budget.sleepNs(muchLaterNs, 500 * US)).isEqualTo(400 * US);
    }
}

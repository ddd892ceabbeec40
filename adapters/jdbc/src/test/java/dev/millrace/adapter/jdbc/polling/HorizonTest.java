package dev.millrace.adapter.jdbc.polling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Positions that are old enough to be read. */
@Timeout(60)
class HorizonTest
{
    private static final long LAG_MS = 1_000;

    private static long ms(final long millis)
    {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void shouldAllowAPositionOnlyAfterTheLag()
    {
        final Horizon horizon = new Horizon(LAG_MS);
        assertThat(horizon.limit(ms(0))).isEqualTo(Horizon.NONE);
        horizon.observe(ms(0), 10);
        horizon.observe(ms(500), 20);
        assertThat(horizon.limit(ms(999))).isEqualTo(Horizon.NONE);
        assertThat(horizon.untilNextNs(ms(999))).isEqualTo(ms(1));
        assertThat(horizon.limit(ms(1_000))).isEqualTo(10);
        assertThat(horizon.limit(ms(1_499))).isEqualTo(10);
        assertThat(horizon.limit(ms(1_500))).isEqualTo(20);
        assertThat(horizon.untilNextNs(ms(1_500))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldAllowEverythingWithoutLag()
    {
        final Horizon horizon = new Horizon(0);
        assertThat(horizon.isUsed()).isFalse();
        assertThat(horizon.limit(0)).isEqualTo(Horizon.ALL);
        assertThat(horizon.includesFirst(Horizon.ALL)).isTrue();
    }

    /** However often positions are observed, the limit is never too high, and late by at most a part of the lag. */
    @Test
    void shouldLimitAStreamOfObservationsWithinAFixedMemory()
    {
        for (final long stepMs : new long[] {1, 7, 33, 250, 3_000})
        {
            final Horizon horizon = new Horizon(LAG_MS);
            final TreeMap<Long, Long> seen = new TreeMap<>();
            for (long nowMs = 0; nowMs < 20_000; nowMs += stepMs)
            {
                seen.put(nowMs, nowMs * 3);
                horizon.observe(ms(nowMs), nowMs * 3);
                final long limit = horizon.limit(ms(nowMs));
                if (nowMs >= LAG_MS)
                {
                    assertThat(limit).isLessThanOrEqualTo(seen.floorEntry(nowMs - LAG_MS).getValue());
                }
                if (nowMs >= 2 * LAG_MS + stepMs)
                {
                    final long lateMs = LAG_MS + Math.max(stepMs, LAG_MS / 30 + stepMs);
                    assertThat(limit).isGreaterThanOrEqualTo(seen.ceilingEntry(nowMs - lateMs).getValue());
                }
            }
        }
    }
}

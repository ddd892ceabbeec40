package dev.millrace.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SendRateLimiterTest
{
    private long nowNs = 7;

    private int takeAll(final SendRateLimiter pace)
    {
        int taken = 0;
        while (pace.take())
        {
            taken++;
        }
        return taken;
    }

    @Test
    void shouldLetAFewGoAtOnceAndManyGoSlowly()
    {
        final SendRateLimiter pace = new SendRateLimiter(() -> nowNs);
        assertThat(takeAll(pace)).isEqualTo(200);
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(takeAll(pace)).isZero();
        nowNs += TimeUnit.MILLISECONDS.toNanos(1);
        assertThat(takeAll(pace)).isEqualTo(1);
        nowNs += TimeUnit.MILLISECONDS.toNanos(100);
        assertThat(takeAll(pace)).isEqualTo(50);
        nowNs += TimeUnit.SECONDS.toNanos(100);
        assertThat(takeAll(pace)).as("unused capacity does not accumulate").isEqualTo(200);
    }
}

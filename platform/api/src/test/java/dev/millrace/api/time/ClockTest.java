package dev.millrace.api.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClockTest
{
    @Test
    void shouldShowTheTimeOfDayAndNeverGoBack()
    {
        final Instant shown = Instant.ofEpochSecond(0, Clock.SYSTEM.epochNs());
        assertThat(Duration.between(shown, Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        long last = Clock.SYSTEM.epochNs();
        for (int i = 0; i < 1_000_000; i++)
        {
            final long now = Clock.SYSTEM.epochNs();
            if (now < last)
            {
                assertThat(now).isGreaterThanOrEqualTo(last);
            }
            last = now;
        }
    }

    @Test
    void shouldMoveOnlyWhenTold()
    {
        final ManualClock clock = new ManualClock(100);
        assertThat(clock.epochNs()).isEqualTo(100);
        clock.advance(5);
        assertThat(clock.epochNs()).isEqualTo(105);
        assertThatThrownBy(() -> clock.advance(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}

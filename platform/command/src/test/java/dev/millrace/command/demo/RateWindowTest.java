package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RateWindowTest
{
    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldCountFromTheFirstGrowthToTheLastWhenTheReceiverEndsLater()
    {
        final RateWindow window = new RateWindow(500);
        window.sample(500, 0);
        window.sample(600, 3 * SECOND);
        window.sample(1600, 4 * SECOND);
        window.sample(2500, 5 * SECOND);
        window.sample(2500, 9 * SECOND);
        assertThat(window.perSec(1.5)).isCloseTo(1000, within(1e-9));
    }

    @Test
    void shouldCountTheSendersTimeWhenItIsLonger()
    {
        final RateWindow window = new RateWindow(0);
        window.sample(100, SECOND);
        window.sample(200, SECOND + SECOND / 10);
        assertThat(window.perSec(2)).isCloseTo(100, within(1e-9));
    }
}

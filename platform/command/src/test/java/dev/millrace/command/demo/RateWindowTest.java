package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RateWindowTest
{
    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldLeaveOutStartAndEndWhenTheCounterStandsStill()
    {
        final RateWindow window = new RateWindow(500);
        window.sample(500, 0);
        window.sample(600, 3 * SECOND);
        window.sample(1600, 4 * SECOND);
        window.sample(2600, 5 * SECOND);
        window.sample(2600, 9 * SECOND);
        assertThat(window.perSec(1)).isCloseTo(1000, within(1e-9));
    }

    @Test
    void shouldGiveTheOtherFigureWhenTheWindowIsTooShort()
    {
        final RateWindow window = new RateWindow(0);
        assertThat(window.perSec(7)).isEqualTo(7);
        window.sample(100, SECOND);
        window.sample(200, SECOND + SECOND / 10);
        assertThat(window.perSec(7)).isEqualTo(7);
    }
}

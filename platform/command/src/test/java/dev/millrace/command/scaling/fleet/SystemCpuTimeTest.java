package dev.millrace.command.scaling.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Use of a machine, computed from kernel counters. */
@Timeout(60)
class SystemCpuTimeTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    /** Returns times of all processors in hundredths of a second: user, nice, system, idle, waiting, and more. */
    private static SystemCpuTime at(final long seconds, final long user, final long system, final long idle,
        final long waiting)
    {
        return SystemCpuTime.of(seconds * SECOND_NS, List.of("cpu  " + user + " 0 " + system + ' ' + idle + ' ' +
            waiting + " 0 7 3 0 0", "cpu0 1 0 1 1 1 0 0 0 0 0", "cpu1 1 0 1 1 1 0 0 0 0 0", "intr 5 0 0",
            "ctxt 1234"));
    }

    @Test
    void shouldCountAllThatWasNotIdleAsBusy()
    {
        // Two processors for ten seconds; together they were idle for four seconds and waited for one.
        assertThat(at(20, 900, 600, 500, 150).busyPercentSince(at(10, 0, 0, 100, 50)))
            .isCloseTo(75, within(1e-9));
    }

    @Test
    void shouldNotBelieveTicksThatMissThreadsOfMicroseconds()
    {
        // The kernel's samples count two of ten seconds as work; by the clock, the idle time is at most five seconds.
        assertThat(at(20, 100, 100, 600, 0).busyPercentSince(at(10, 0, 0, 100, 0))).isCloseTo(75, within(1e-9));
    }

    @Test
    void shouldSayNothingWhereTheSystemDoesNotTell()
    {
        final SystemCpuTime unknown = new SystemCpuTime(10 * SECOND_NS, 0, 0);
        assertThat(new SystemCpuTime(20 * SECOND_NS, 0, 0).busyPercentSince(unknown)).isNaN();
        assertThat(at(20, 1, 1, 1, 1).busyPercentSince(at(20, 1, 1, 1, 1))).isNaN();
    }
}

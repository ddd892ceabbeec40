package dev.millrace.command.scaling.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.command.cli.CommandException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Latency of the machine, measured by a separate process. */
@Timeout(60)
class HiccupProbeTest
{
    private static final double MS_PER_NS = 1e-6;

    @Test
    void shouldCountEachMillisecondOnceAndAPauseForEachThatItMissed() throws Exception
    {
        final long beginNs = System.nanoTime();
        try (HiccupProbe probe = HiccupProbe.start())
        {
            long count = probe.take().getTotalCount();
            while (count < 100)
            {
                count += probe.take().getTotalCount();
            }
            // It has counted no millisecond twice.
            final double elapsedMs = (System.nanoTime() - beginNs) * MS_PER_NS;
            signal(probe, "STOP");
            final long stoppedNs = System.nanoTime();
            while (System.nanoTime() - stoppedNs < TimeUnit.MILLISECONDS.toNanos(300))
            {
                Thread.onSpinWait();
            }
            signal(probe, "CONT");
            // One answer may contain only the first of the missed milliseconds, so the answers are added up.
            final Histogram paused = probe.take();
            while (late(paused) < 150)
            {
                paused.add(probe.take());
            }
            assertThat((double)count).isLessThan(elapsedMs + 2);
            // Late by 300, 299, 298 ... milliseconds.
            assertThat(paused.getMaxValue() * MS_PER_NS).isGreaterThanOrEqualTo(250);
        }
    }

    /** Number of delays of at least 100 ms. */
    private static long late(final Histogram delays)
    {
        final long leastNs = (long)(100 / MS_PER_NS);
        return delays.getCountBetweenValues(leastNs, Math.max(delays.getMaxValue(), leastNs));
    }

    /** A pause of this process must not count as a pause of the machine. */
    @Test
    void shouldBeAProcessOfItsOwnThatEndsWhenItIsClosed() throws Exception
    {
        final ProcessHandle process;
        try (HiccupProbe probe = HiccupProbe.start())
        {
            probe.take();
            process = ProcessHandle.of(probe.pid()).orElseThrow();
            assertThat(process.isAlive()).isTrue();
            assertThat(process.pid()).isNotEqualTo(ProcessHandle.current().pid());
        }
        process.onExit().get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldSayThatTheProbeHasEnded() throws Exception
    {
        try (HiccupProbe probe = HiccupProbe.start())
        {
            final ProcessHandle process = ProcessHandle.of(probe.pid()).orElseThrow();
            process.destroyForcibly();
            process.onExit().get(60, TimeUnit.SECONDS);
            assertThatThrownBy(probe::take).isInstanceOf(CommandException.class).hasMessageContaining("CMD-0189");
        }
    }

    private static void signal(final HiccupProbe probe, final String name) throws Exception
    {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(probe.pid())).start().waitFor()).isZero();
    }
}

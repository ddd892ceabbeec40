package dev.millrace.tuning.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.signal.LatencyExperiment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(300)
class OpenLoopTest
{
    private final List<Integer> taken = new ArrayList<>();
    private long nowNs = 1_000_000;

    /** Each reading takes 100 ns. */
    private long read()
    {
        return nowNs += 100;
    }

    private OpenLoop loop()
    {
        return new OpenLoop(1_000, this::read);
    }

    @Test
    void shouldCountFromWhenAnEventWasDueWhenTheTargetIsSlow()
    {
        final OpenLoop loop = loop();
        loop.run(rows ->
        {
            taken.add(rows);
            nowNs += taken.size() == 1 ? 4_900 : 0;
        }, 6, false);
        // Due at 0, 1000, ... 5000. The first starts at 100 and is done at 5100; the five others are due by then.
        assertThat(taken).containsExactly(1, 5);
        assertThat(loop.latencyNs().getTotalCount()).isEqualTo(6);
        assertThat(loop.latencyNs().getMaxValue()).isBetween(5_000L, 5_110L);
        assertThat(loop.latencyNs().getMinValue()).isBetween(200L, 400L);
        assertThat(loop.rowsPerBatch()).isEqualTo(3.0);
        assertThat(loop.gapsPerSec()).isZero();
    }

    @Test
    void shouldCountAGapWhenTimeRunsOn()
    {
        final OpenLoop loop = loop();
        loop.run(rows -> nowNs += taken.isEmpty() && taken.add(rows) ? 1_000_000 : 0, 1_100, false);
        assertThat(loop.latencyNs().getMaxValue()).isBetween(999_000L, 1_010_000L);
        assertThat(loop.gapsPerSec()).isPositive();
        assertThat(loop.gapShare()).isBetween(0.5, 1.0);
    }

    @Test
    void shouldLetTimeStandStillWhenGapsAreRemoved()
    {
        final OpenLoop loop = loop();
        loop.run(rows -> nowNs += taken.isEmpty() && taken.add(rows) ? 1_000_000 : 0, 1_100, true);
        assertThat(loop.latencyNs().getMaxValue()).isLessThan(2_000L);
        assertThat(loop.gapsInsidePerSec()).isPositive();
        assertThat(loop.latencyNs().getTotalCount()).isEqualTo(1_100);
    }

    @Test
    void shouldForgetWhenItIsReset()
    {
        final OpenLoop loop = loop();
        loop.run(rows -> nowNs += 10, 10, true);
        loop.reset();
        assertThat(loop.latencyNs().getTotalCount()).isZero();
    }

    @Test
    void shouldGiveAllFiguresWhenTheExperimentRuns() throws Exception
    {
        final List<BenchResult> lines = new ArrayList<>();
        new LatencyExperiment().run("", new BenchContext(1, 0, true, false, 256, 10, StatusLine.NONE), lines::add);
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).figures()).containsKeys("engineP50Us", "engineP99Us", "engineRawP999Us", "probeP50Us",
            "limitP99Us", "rawToProbeP99", "rawToProbeP9999", "engineGapsPerSecInside");
        assertThat(lines.get(0).nsPerEvent()).isPositive();
    }
}

package dev.millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkloadTest
{
    private static final TickData DATA = new TickData(1);

    @Test
    void shouldPutOutTheSameAsTheLoopWhenEachWorkloadRuns() throws Exception
    {
        for (final Workload workload : List.of(new WireWorkload(DATA, 10), new WireWorkload(DATA, 1),
            ColumnWorkload.signal("pair", Rules.PAIR, DATA, 256), ColumnWorkload.signal("pair", Rules.PAIR, DATA, 3),
            ColumnWorkload.signal("trend", Rules.TREND, DATA, 100), ColumnWorkload.groupedSum(1, 256, 1),
            ColumnWorkload.groupedSum(1_000, 256, 1)))
        {
            for (int pass = 0; pass < 2; pass++)
            {
                workload.runEngine();
                workload.runLimit();
                assertThat(workload.engineTally().rows()).as(workload.name()).isPositive()
                    .isEqualTo(workload.limitTally().rows());
                assertThat(workload.engineTally().checksum()).as(workload.name())
                    .isEqualTo(workload.limitTally().checksum());
            }
        }
    }

    @Test
    void shouldGiveASignalForAboutSixInAHundredTicksWhenDataIsMade()
    {
        final Workload pair = ColumnWorkload.signal("pair", Rules.PAIR, DATA, 256);
        pair.runLimit();
        assertThat(pair.limitTally().rows() * 100.0 / pair.events()).isBetween(5.6, 6.1);
    }

    @Test
    void shouldMonitorAsManySymbolsAsTheCacheHoldsWhenTicksAreCoded()
    {
        final ColumnWorkload.Ticks ticks = ColumnWorkload.Ticks.of(DATA);
        assertThat(ticks.relation().size()).isEqualTo(TickData.CACHED);
        assertThat(ticks.source().dictionary(0).size()).isEqualTo(TickData.SYMBOLS);
    }
}

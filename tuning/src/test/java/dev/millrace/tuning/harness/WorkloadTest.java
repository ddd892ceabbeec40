package dev.millrace.tuning.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.signal.ColumnWorkload;
import dev.millrace.tuning.signal.StringSumWorkload;
import dev.millrace.tuning.signal.WireWorkload;
import dev.millrace.tuning.ticks.TradeWorkload;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
public class WorkloadTest
{
    private static final BenchContext FULL = setting(256, 10);

    public static BenchContext setting(final int batchSize, final int rowsPerFrame)
    {
        return new BenchContext(1, 0, true, false, batchSize, rowsPerFrame, StatusLine.NONE);
    }

    @Test
    void shouldPutOutTheSameAsTheLoopWhenEachWorkloadRuns() throws Exception
    {
        final Map<String, Workload> workloads = Map.of(
            "wire", new WireWorkload(FULL.ticks(), 10), "wire one row a frame", new WireWorkload(FULL.ticks(), 1),
            "pair", ColumnWorkload.signal(BenchQueries.PAIR, FULL),
            "pair in batches of 3", ColumnWorkload.signal(BenchQueries.PAIR, setting(3, 10)),
            "trend in batches of 100", ColumnWorkload.signal(BenchQueries.TREND, setting(100, 10)),
            "grouped-sum:1000", new StringSumWorkload(1_000, FULL),
            "grouped-sum:1-coded", ColumnWorkload.groupedSum(1, FULL),
            "grouped-sum:1000-coded", ColumnWorkload.groupedSum(1_000, FULL),
            "pass-through", TradeWorkload.passThrough(FULL), "filter", TradeWorkload.filter(FULL));
        check(workloads);
    }

    private static void check(final Map<String, Workload> workloads)
    {
        workloads.forEach((name, workload) ->
        {
            for (int pass = 0; pass < 2; pass++)
            {
                workload.runEngine();
                workload.runLimit();
                assertThat(workload.engineTally().rows()).as(name).isEqualTo(workload.limitTally().rows());
                assertThat(workload.engineTally().rows() > 0).as(name).isEqualTo(workload.putsOut());
                assertThat(workload.engineTally().checksum()).as(name)
                    .isEqualTo(workload.limitTally().checksum());
            }
        });
    }

    @Test
    void shouldGiveASignalForAboutSixInAHundredTicksWhenDataIsMade()
    {
        final Workload pair = ColumnWorkload.signal(BenchQueries.PAIR, FULL);
        pair.runLimit();
        assertThat(pair.limitTally().rows() * 100.0 / pair.events()).isBetween(5.6, 6.1);
    }

    @Test
    void shouldMonitorAsManySymbolsAsTheCacheHoldsWhenTicksAreCoded()
    {
        final ColumnWorkload.Ticks ticks = ColumnWorkload.Ticks.of(FULL.ticks());
        assertThat(ticks.relation().size()).isEqualTo(TickData.CACHED);
        assertThat(IntStream.of(ticks.ids()).distinct().count()).isEqualTo(TickData.SYMBOLS);
    }
}

package dev.millrace.tuning.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatencyHistogramTest
{
    private static final long MS = 1_000_000;

    @Test
    void shouldPrintTheBlockWhenValuesLieOnEitherSideOfTheBounds()
    {
        final LatencyHistogram cells = new LatencyHistogram("engine", "ns", 1, 5_000, 10_000, 15_000);
        cells.add(0, 1);
        cells.add(4_999, 1);
        cells.add(5_000, 2);
        cells.add(9_999, 1);
        cells.add(10_000, 1);
        cells.add(15_000, 1);
        cells.add(1_000_000, 1);
        // (0 + 4999 + 2 * 5000 + 9999 + 10000 + 15000 + 1000000) / 8 = 1049998 / 8 = 131249.75
        assertThat(cells.block()).isEqualTo("""
            ---Stats - engine (unit: ns)
              Avg: 131250 #8  max: 1000000
                    0 <      5000:  25.00%  25.00% #2
                 5000 <     10000:  37.50%  62.50% #3
                10000 <     15000:  12.50%  75.00% #1
                15000 <      more:  25.00% 100.00% #2
            """);
        assertThat(cells.mean()).isCloseTo(131_249.75, within(1e-9));
        assertThat(cells.percentBelow(5_000)).isCloseTo(25.0, within(1e-9));
        assertThat(cells.percentBelow(10_000)).isCloseTo(62.5, within(1e-9));
    }

    @Test
    void shouldCountInMillisecondsWhenThatIsTheUnit()
    {
        final LatencyHistogram cells = new LatencyHistogram("endToEnd", "ms", MS, 1, 5);
        cells.add(250_000, 3);
        cells.add(MS - 1, 1);
        cells.add(MS, 1);
        cells.add(7 * MS, 1);
        // (0.75 + 0.999999 + 1 + 7) / 6 = 1.625
        assertThat(cells.block()).isEqualTo("""
            ---Stats - endToEnd (unit: ms)
              Avg: 1.625 #6  max: 7.000
                    0 <         1:  66.67%  66.67% #4
                    1 <         5:  16.67%  83.33% #1
                    5 <      more:  16.67% 100.00% #1
            """);
    }

    @Test
    void shouldStayRightWhenTheSumIsGreaterThanALong()
    {
        final LatencyHistogram cells = new LatencyHistogram("endToEnd", "ms", MS, LatencyHistogram.END_TO_END_MS);
        cells.add(3_600_000 * MS, 4_000_000_000_000L);
        cells.add(3_600_000 * MS, 4_000_000_000_000L);
        assertThat(cells.mean()).isCloseTo(3_600_000.0, within(1e-3));
    }

    @Test
    void shouldPrintNoughtWhenNothingWasCounted()
    {
        final LatencyHistogram cells = new LatencyHistogram("engine", "ns", 1, 5_000);
        cells.add(7, 3);
        cells.reset();
        assertThat(cells.block()).isEqualTo("""
            ---Stats - engine (unit: ns)
              Avg: 0 #0  max: 0
                    0 <      5000:   0.00%   0.00% #0
                 5000 <      more:   0.00%   0.00% #0
            """);
    }

    @Test
    void shouldAddUpWhenIntervalsBecomeTheWholeRun()
    {
        final KitStatistics statistics = new KitStatistics(0);
        statistics.add(1_000, 3_000, new long[] {500, 600, 700}, 3);
        // Two events in the warm-up, then: 2 of 4 us, 1 of 12 us; end to end 2 ms, 2 ms and 6 ms.
        statistics.begin(2_000_000_000L);
        statistics.add(2_010_000_000L, 2_010_004_000L, new long[] {2_008_004_000L, 2_008_004_000L}, 2);
        assertThat(statistics.report(3_000_000_000L, 17)).contains("Avg: 4000 #2", "  Avg: 2.000 #2",
            "Throughput 2 (active 0 pending 17 cnx 0)");
        statistics.add(3_010_000_000L, 3_010_012_000L, new long[] {3_004_012_000L}, 1);
        assertThat(statistics.report(6_000_000_000L, 0)).contains("Avg: 12000 #1", "  Avg: 6.000 #1", "Throughput 0 ");
        assertThat(statistics.events()).isEqualTo(6);
        // (4000 + 4000 + 12000) / 3; (2 + 2 + 6) / 3
        assertThat(statistics.whole()).contains("The whole run, 3 events", "Avg: 6667 #3", "Avg: 3.333 #3")
            .doesNotContain("warning");
    }

    @Test
    void shouldWarnWhenEventsAreThroughBeforeTheyWereDue()
    {
        final KitStatistics statistics = new KitStatistics(0);
        statistics.add(1_000, 3_000, new long[] {2_000, 5_000}, 2);
        assertThat(statistics.report(1_000_000_000L, 0)).contains("warning: 1 events");
    }
}

package dev.millrace.command.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.demo.ExpectedSignals;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SignalRowsTest
{
    private static List<String> rows(final TickFile ticks, final int connections, final long... sent)
    {
        final List<String> rows = new ArrayList<>();
        final SignalRows expected = new SignalRows(ticks, connections);
        for (int i = 0; i < sent.length; i++)
        {
            expected.advance(i, sent[i], (key, values) -> rows.add(key + ' ' + values[0] + ' ' + values[1]));
        }
        return rows;
    }

    @Test
    void shouldEmitChangesAndTrendsOfWatchedSymbols()
    {
        final List<Tick> ticks = List.of(new Tick("A", 100), new Tick("B", 1), new Tick("A", 102), new Tick("A", 110),
            new Tick("B", 9), new Tick("A", 120), new Tick("A", 130), new Tick("A", 140), new Tick("A", 70));
        assertThat(rows(new TickFile(ticks, Set.of("A")), 1, ticks.size())).containsExactly(
            "perc A 110.0 " + 100 * (110.0 - 102) / 102,
            "perc A 120.0 " + 100 * (120.0 - 110) / 110,
            "perc A 130.0 " + 100 * (130.0 - 120) / 120,
            "perc A 140.0 " + 100 * (140.0 - 130) / 130,
            "trend A 140.0 " + 100 * (140.0 - 102) / 102,
            "perc A 70.0 -50.0");
    }

    @Test
    void shouldEmitAsManyRowsAsTheComputationThatCounts()
    {
        final Random random = new Random(20_261_129);
        final List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < 5_000; i++)
        {
            ticks.add(new Tick("S" + random.nextInt(10), 100 + random.nextInt(60)));
        }
        final Set<String> watched = Set.of("S1", "S2", "S3", "S7");
        final ExpectedSignals counting = new ExpectedSignals(watched);
        counting.play(ExpectedSignals.split(ticks, 2), List.of(9_000L, 4_000L));
        final List<String> rows = rows(new TickFile(ticks, watched), 2, 9_000, 4_000);
        assertThat(rows.stream().filter(row -> row.startsWith(SignalRows.SIGNAL))).hasSize(
            (int)counting.counts().signals());
        assertThat(rows.stream().filter(row -> row.startsWith(SignalRows.TREND))).hasSize(
            (int)counting.counts().trends());
        assertThat(counting.counts().trends()).isPositive();
    }
}

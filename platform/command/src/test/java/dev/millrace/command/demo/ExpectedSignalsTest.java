package dev.millrace.command.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.demo.ExpectedSignals.Counts;
import dev.millrace.command.demo.TickFile.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExpectedSignalsTest
{
    private static final Set<String> WATCHED = Set.of("A", "B");

    @Test
    void shouldCountASignalWhenAPriceMovesByMoreThanTwoPercent()
    {
        assertThat(count("A 100", "A 102", "A 99.9", "A 102")).isEqualTo(new Counts(2, 0));
        assertThat(count("A 100", "A 97.9", "A 97.9")).isEqualTo(new Counts(1, 0));
    }

    @Test
    void shouldNotCountWhenTheSymbolIsNotWatched()
    {
        assertThat(count("X 100", "X 200", "A 10")).isEqualTo(new Counts(0, 0));
    }

    @Test
    void shouldCompareWithTheTickBeforeOfTheSameSymbolWhenSymbolsMix()
    {
        assertThat(count("A 100", "B 50", "A 101", "B 52", "X 1", "A 90")).isEqualTo(new Counts(2, 0));
    }

    @Test
    void shouldCountATrendFromTheFourthChangeOnWhenAllGoOneWay()
    {
        assertThat(count("A 100", "A 103", "A 107", "A 111")).isEqualTo(new Counts(3, 0));
        assertThat(count("A 100", "A 103", "A 107", "A 111", "A 115")).isEqualTo(new Counts(4, 1));
        assertThat(count("A 100", "A 103", "A 107", "A 111", "A 115", "A 120")).isEqualTo(new Counts(5, 2));
        assertThat(count("A 100", "A 97", "A 94", "A 91", "A 88")).isEqualTo(new Counts(4, 1));
    }

    @Test
    void shouldNotCountATrendWhenTheDirectionTurnsOrAChangeIsSmall()
    {
        assertThat(count("A 100", "A 103", "A 107", "A 103", "A 107")).isEqualTo(new Counts(4, 0));
        assertThat(count("A 100", "A 103", "A 107", "A 108", "A 112", "A 116")).isEqualTo(new Counts(4, 0));
    }

    @Test
    void shouldGoOnWithTheFirstRowWhenTheLastWasSent()
    {
        final List<Tick> part = ticks("A 100", "A 103", "A 107");
        assertThat(count(part, 3)).isEqualTo(new Counts(2, 0));
        assertThat(count(part, 4)).isEqualTo(new Counts(3, 0));
        assertThat(count(part, 0)).isEqualTo(new Counts(0, 0));
    }

    @Test
    void shouldKeepEachSymbolOnOneConnectionWhenSplit()
    {
        final List<Tick> file = ticks("A 1", "B 2", "X 3", "A 4", "X 5", "Y 6", "B 7");
        assertThat(ExpectedSignals.split(file, 2)).containsExactly(
            ticks("A 1", "X 3", "A 4", "X 5"), ticks("B 2", "Y 6", "B 7"));
        assertThat(ExpectedSignals.split(file, 1)).containsExactly(file);
    }

    @Test
    void shouldAddUpConnectionsWhenThereAreSeveral()
    {
        final List<List<Tick>> parts = List.of(ticks("A 100", "A 103"), ticks("B 100", "B 96"));
        final ExpectedSignals expected = new ExpectedSignals(WATCHED);
        expected.play(parts, List.of(2L, 3L));
        assertThat(expected.counts()).isEqualTo(new Counts(3, 0));
    }

    @Test
    void shouldGoOnFromTheLastPricesWhenPlayedAgain()
    {
        final ExpectedSignals expected = new ExpectedSignals(WATCHED);
        expected.play(ticks("A 100", "A 103"), 2);
        expected.play(ticks("A 107", "A 107"), 2);
        assertThat(expected.counts()).isEqualTo(new Counts(2, 0));
    }

    private static Counts count(final String... rows)
    {
        return count(ticks(rows), rows.length);
    }

    private static Counts count(final List<Tick> part, final long rowsSent)
    {
        final ExpectedSignals expected = new ExpectedSignals(WATCHED);
        expected.play(part, rowsSent);
        return expected.counts();
    }

    private static List<Tick> ticks(final String... rows)
    {
        final List<Tick> ticks = new ArrayList<>();
        for (final String row : rows)
        {
            final String[] parts = row.split(" ");
            ticks.add(new Tick(parts[0], Double.parseDouble(parts[1])));
        }
        return ticks;
    }
}

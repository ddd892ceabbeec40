package dev.millrace.samples.signalgeneration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.samples.signalgeneration.feed.Market;
import dev.millrace.samples.signalgeneration.feed.TickFileGenerator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TickFileGeneratorTest
{
    @Test
    void shouldTradeEverySymbolOnceARoundWhenGenerated()
    {
        final List<String> lines = TickFileGenerator.lines();
        assertThat(lines).hasSize(Market.SYMBOLS * TickFileGenerator.ROUNDS).isEqualTo(TickFileGenerator.lines());
        for (int round = 0; round < TickFileGenerator.ROUNDS; round++)
        {
            final Set<String> seen = new HashSet<>();
            for (int i = 0; i < Market.SYMBOLS; i++)
            {
                seen.add(lines.get(round * Market.SYMBOLS + i).split(",")[0]);
            }
            assertThat(seen).hasSize(Market.SYMBOLS).containsAll(Market.monitored());
        }
    }

    @Test
    void shouldAnswerTheWhitePapersShareOfTicksWhenPlayedInACircle()
    {
        final List<String> lines = TickFileGenerator.lines();
        final Set<String> watched = new HashSet<>(Market.monitored());
        final Map<String, Double> last = new HashMap<>();
        final Map<String, Integer> runs = new HashMap<>();
        long answered = 0;
        long trends = 0;
        for (int pass = 0; pass < 2; pass++)
        {
            answered = 0;
            trends = 0;
            for (final String line : lines)
            {
                final String[] parts = line.split(",");
                if (!watched.contains(parts[0]))
                {
                    continue;
                }
                final double price = Double.parseDouble(parts[1]);
                final Double before = last.put(parts[0], price);
                final double change = before == null ? 0 : 100 * (price - before) / before;
                final int way = Math.abs(change) > 2.0 ? (int)Math.signum(change) : 0;
                final int run = runs.getOrDefault(parts[0], 0);
                final int next = way == 0 ? 0 : run * way > 0 ? run + way : way;
                runs.put(parts[0], next);
                trends += Math.abs(next) >= 4 ? 1 : 0;
                answered += (way != 0 ? 1 : 0) + (Math.abs(next) >= 4 ? 1 : 0);
            }
        }
        assertThat(100.0 * answered / lines.size()).isBetween(5.80, 5.90);
        assertThat(trends).isBetween(100L, 500L);
    }
}

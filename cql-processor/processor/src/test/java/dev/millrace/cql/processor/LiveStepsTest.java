package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that are changed while queries run in two steps over workers. */
@Timeout(60)
class LiveStepsTest
{
    private static final String COUNT =
        "IStream(select max(symbol) as symbol, count(*) as n, max(price) as price from ticks where price >= ";

    private static List<List<Object>> counts(final List<Tick> ticks, final int least)
    {
        final List<List<Object>> rows = new ArrayList<>();
        rows.add(Arrays.asList(null, 0L, null));
        String symbol = "";
        double price = 0;
        for (final Tick tick : ticks)
        {
            if (tick.price() >= least)
            {
                symbol = tick.symbol().compareTo(symbol) > 0 ? tick.symbol() : symbol;
                price = Math.max(price, tick.price());
                rows.add(List.of(symbol, (long)rows.size(), price));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldKeepReplaceAndRemoveQueriesInTwoSteps(final int workers) throws Exception
    {
        System.out.println("seed=" + workers);
        final Random random = new Random(workers);
        final List<Tick> ticks = LiveNetwork.ticks(random, 900, 0);
        try (LiveNetwork network = new LiveNetwork(workers, 0).start(List.of("a", "b"),
            LiveNetwork.partitioned("a", false, COUNT + "10)")))
        {
            network.send(ticks.subList(0, 300), random);
            assertThat(LiveNetwork.words(network.put(LiveNetwork.partitioned("b", false, COUNT + "50)"))))
                .containsExactly("a=KEPT", "b=STARTED");
            network.send(ticks.subList(300, 600), random);
            assertThat(LiveNetwork.words(network.put(LiveNetwork.partitioned("b", false, COUNT + "70)"))))
                .hasSize(2).contains("a=KEPT").anyMatch(word -> word.startsWith("b=RESTARTED lost groups"));
            network.send(ticks.subList(600, 750), random);
            assertThat(network.figures("rules").toString()).contains("flow=a merged", "flow=b merged");
            assertThat(LiveNetwork.words(network.remove("b"))).hasSize(2).contains("a=KEPT");
            network.send(ticks.subList(750, 900), random);

            final List<List<Object>> both = counts(ticks.subList(300, 600), 50);
            both.addAll(counts(ticks.subList(600, 750), 70));
            assertThat(network.rows("a")).isEqualTo(counts(ticks, 10));
            assertThat(network.rows("b")).isEqualTo(both);
            assertThat(network.figures("rules").toString()).doesNotContain("flow=b");
        }
    }
}

package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that share a view are added and removed one by one, and the others lose no rows. */
@Timeout(60)
class LiveViewTest
{
    private static final Rule TOPS =
        LiveNetwork.view("tops", "IStream(select symbol, max(price) as top from ticks group by symbol)");
    private static final String HIGH = "select symbol, top as price from tops where top > ";

    /** The maximum prices of symbols as they change, among the last ticks above a bound. */
    private static List<List<Object>> tops(final List<Tick> ticks, final int from, final int to, final double above)
    {
        final Map<String, Double> greatest = new HashMap<>();
        final List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < to; i++)
        {
            final Tick tick = ticks.get(i);
            if (tick.price() > greatest.getOrDefault(tick.symbol(), -1.0))
            {
                greatest.put(tick.symbol(), tick.price());
                if (i >= from && tick.price() > above)
                {
                    rows.add(List.of(tick.symbol(), tick.price()));
                }
            }
        }
        return rows;
    }

    private static List<List<Object>> rows(final LiveNetwork network, final String channel) throws Exception
    {
        return network.rows(channel).stream().map(row -> List.of(row.get(0), row.get(2))).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldWorkOutAViewOnceAndLoseNothingWhenAReaderGoes(final int workers) throws Exception
    {
        final Random random = new Random(workers);
        final List<Tick> ticks = LiveNetwork.ticks(random, 900, 0);
        try (LiveNetwork network = new LiveNetwork(workers, 0).start(List.of("all50", "all20", "late"), TOPS,
            LiveNetwork.query("all50", HIGH + 50), LiveNetwork.query("all20", HIGH + 20)))
        {
            assertThat(network.figures("rules").toString()).containsOnlyOnce("flow=all50_all20,");
            network.send(ticks.subList(0, 300), random);
            assertThat(LiveNetwork.words(network.remove("all50"))).hasSize(2).contains("all20=KEPT");
            network.send(ticks.subList(300, 600), random);
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("late", HIGH + 0))))
                .containsExactly("all20=KEPT", "late=STARTED");
            network.send(ticks.subList(600, 900), random);

            assertThat(rows(network, "all50")).isEqualTo(tops(ticks, 0, 300, 50));
            assertThat(rows(network, "all20")).isEqualTo(tops(ticks, 0, 900, 20));
            assertThat(rows(network, "late")).isEqualTo(tops(ticks.subList(600, 900), 0, 300, 0));
        }
    }

    /** With one reader, its condition is tested below the view; with several readers, above the view. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldLoseNothingOfTheOnlyReaderOfAViewWhenAnotherComesAndGoes(final int workers) throws Exception
    {
        final Random random = new Random(workers);
        final List<Tick> ticks = LiveNetwork.ticks(random, 900, 0);
        try (LiveNetwork network = new LiveNetwork(workers, 0).start(List.of("all20", "late"), TOPS,
            LiveNetwork.query("all20", HIGH + 20)))
        {
            network.send(ticks.subList(0, 300), random);
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("late", HIGH + 50))))
                .containsExactly("all20=KEPT", "late=STARTED");
            network.send(ticks.subList(300, 600), random);
            assertThat(LiveNetwork.words(network.remove("late"))).hasSize(2).contains("all20=KEPT");
            network.send(ticks.subList(600, 900), random);

            assertThat(rows(network, "all20")).isEqualTo(tops(ticks, 0, 900, 20));
            assertThat(rows(network, "late")).isEqualTo(tops(ticks.subList(300, 600), 0, 300, 50));
        }
    }
}

package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many statements with an index are added, changed and removed while events flow; each receives every row that its
 * condition selects.
 */
@Tag("slow")
@Timeout(120)
class LiveIndexTest
{
    private static final int STATEMENTS = 60;

    /** A statement and its meaning: ticks of a symbol or of a range of prices, with a minimum number. */
    private record Wish(String id, int symbol, int low, int high, long least)
    {
        static Wish random(final String id, final Random random)
        {
            final int low = random.nextInt(100);
            return new Wish(id, random.nextInt(3) == 0 ? -1 : random.nextInt(12), low, low + random.nextInt(9),
                random.nextInt(1000));
        }

        Rule rule()
        {
            final String filter =
                symbol < 0 ? "price between " + low + ".0 and " + high + ".0" : "symbol = 'S" + symbol + "'";
            return LiveNetwork.query(id, "select symbol, seq as n, price from ticks where " + filter + " and seq >= " +
                least);
        }

        boolean wants(final Tick tick)
        {
            return tick.seq() >= least && (symbol < 0 ? tick.price() >= low && tick.price() <= high :
                tick.symbol().equals("S" + symbol));
        }
    }

    private static List<List<Object>> rows(final List<Tick> ticks, final Predicate<Tick> wish)
    {
        return ticks.stream().filter(wish).map(tick -> List.<Object>of(tick.symbol(), tick.seq(), tick.price()))
            .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldSeeEveryRowWhenStatementsComeAndGo(final int workers) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        final Map<String, Wish> wishes = new TreeMap<>();
        final Map<String, List<List<Object>>> expected = new TreeMap<>();
        final List<String> selected = new ArrayList<>();
        for (int i = 0; i < STATEMENTS; i++)
        {
            wishes.put("q" + i, Wish.random("q" + i, random));
            selected.add("q" + i);
        }
        selected.forEach(id -> expected.put(id, new ArrayList<>()));
        try (LiveNetwork network = new LiveNetwork(workers, 0).start(selected,
            wishes.values().stream().map(Wish::rule).toArray(Rule[]::new)))
        {
            for (int round = 0; round < 12; round++)
            {
                final List<Tick> ticks = LiveNetwork.ticks(random, 200, round * 200L);
                network.send(ticks, random);
                wishes.forEach((id, wish) -> expected.get(id).addAll(rows(ticks, wish::wants)));
                for (final String id : selected)
                {
                    assertThat(network.rows(id)).as("seed %d round %d %s", seed, round, wishes.get(id))
                        .isEqualTo(expected.get(id));
                }
                change(network, wishes, "q" + random.nextInt(STATEMENTS), random);
            }
        }
    }

    private static void change(final LiveNetwork network, final Map<String, Wish> wishes, final String id,
        final Random random) throws Exception
    {
        if (wishes.containsKey(id) && random.nextBoolean())
        {
            wishes.remove(id);
            network.remove(id);
            return;
        }
        final Wish wish = Wish.random(id, random);
        wishes.put(id, wish);
        network.put(wish.rule());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldCountTheRowsThatPassAStatement(final int workers) throws Exception
    {
        final Random random = new Random(7);
        final Rule[] rules = new Rule[STATEMENTS];
        for (int i = 0; i < STATEMENTS; i++)
        {
            rules[i] = new Wish("q" + i, i % 10, 0, 0, i).rule();
        }
        try (LiveNetwork network = new LiveNetwork(workers, 0).start(List.of("q0"), rules))
        {
            final List<Tick> ticks = LiveNetwork.ticks(random, 300, 0);
            network.send(ticks, random);
            network.remove("q5");
            final List<Tick> more = LiveNetwork.ticks(random, 200, 300);
            network.send(more, random);
            assertThat(network.rows("q0")).isNotEmpty();
            final long out = rows(ticks, tick -> tick.symbol().equals("S7") && tick.seq() >= 7).size() +
                rows(more, tick -> tick.symbol().equals("S7")).size();
            assertThat(network.figures("rules").toString()).contains("q7={rowsIn=500, rowsOut=" + out + '}');
        }
    }
}

package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that run as one are added and removed one by one, and the others lose no rows. */
@Timeout(60)
class LiveFamilyTest
{
    private static final int ROWS = 4;
    private static final int MEMBERS = 6;
    private static final List<String> SELECTED = IntStream.range(0, MEMBERS + 2).mapToObj(i -> "q" + i).toList();

    private static Rule member(final int query, final int symbol, final int rows)
    {
        return LiveNetwork.query("q" + query, "IStream(select symbol, count(*) as n, sum(price) as price " +
            "from ticks[partition by symbol rows " + rows + "] where symbol = 'S" + symbol + "' group by symbol)");
    }

    /** The rows that a member emits for ticks. */
    private static List<List<Object>> expected(final List<Tick> ticks, final int symbol, final int rows)
    {
        final List<List<Object>> out = new ArrayList<>();
        final Deque<Double> window = new ArrayDeque<>();
        for (final Tick tick : ticks)
        {
            if (tick.symbol().equals("S" + symbol))
            {
                window.add(tick.price());
                if (window.size() > rows)
                {
                    window.remove();
                }
                final List<Object> row = List.of(tick.symbol(), (long)window.size(),
                    window.stream().mapToDouble(Double::doubleValue).sum());
                if (out.isEmpty() || !out.get(out.size() - 1).equals(row))
                {
                    out.add(row);
                }
            }
        }
        return out;
    }

    private static List<Tick> joined(final List<Tick> first, final List<Tick> then)
    {
        final List<Tick> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepTheStateOfTheOthersWhenMembersComeAndGo(final long seed) throws Exception
    {
        final Random random = new Random(seed);
        final Rule[] first = IntStream.range(0, MEMBERS).mapToObj(i -> member(i, i, ROWS)).toArray(Rule[]::new);
        try (LiveNetwork network = new LiveNetwork(1, 0).start(SELECTED, first))
        {
            final List<Tick> before = LiveNetwork.ticks(random, 300, 0);
            network.send(before, random);
            assertThat(LiveNetwork.words(network.remove("q2"))).anyMatch(word -> word.startsWith("q2=STOPPED lost"))
                .contains("q0=KEPT", "q1=KEPT", "q3=KEPT", "q4=KEPT", "q5=KEPT");
            final List<Tick> between = LiveNetwork.ticks(random, 300, 300);
            network.send(between, random);
            assertThat(LiveNetwork.words(network.put(member(6, 2, ROWS)))).contains("q0=KEPT", "q5=KEPT", "q6=STARTED");
            assertThat(LiveNetwork.words(network.put(member(1, 1, 2)))).contains("q0=KEPT", "q6=KEPT")
                .anyMatch(word -> word.startsWith("q1=RESTARTED"));
            final List<Tick> after = LiveNetwork.ticks(random, 300, 600);
            network.send(after, random);

            final List<Tick> all = joined(joined(before, between), after);
            for (final int kept : new int[] {0, 3, 4, 5})
            {
                assertThat(network.rows("q" + kept)).as("seed %d q%d", seed, kept).isEqualTo(expected(all, kept, ROWS));
            }
            assertThat(network.rows("q2")).as("seed %d", seed).isEqualTo(expected(before, 2, ROWS));
            assertThat(network.rows("q6")).as("seed %d", seed).isEqualTo(expected(after, 2, ROWS));
            final List<List<Object>> replaced = expected(joined(before, between), 1, ROWS);
            replaced.addAll(expected(after, 1, 2));
            assertThat(network.rows("q1")).as("seed %d", seed).isEqualTo(replaced);
        }
    }

    /** Rows of one symbol, in order. */
    private static List<List<Object>> of(final List<List<Object>> rows, final int symbol)
    {
        return rows.stream().filter(row -> row.get(0).equals("S" + symbol)).toList();
    }

    /** The rows that members over the symbols 0 to 5 emit, row by row in the order of ticks. */
    private static List<Object> symbols(final List<Tick> ticks)
    {
        final List<Object> found = new ArrayList<>();
        ticks.stream().map(Tick::symbol).filter(symbol -> symbol.compareTo("S" + MEMBERS) < 0).forEach(found::add);
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGiveMembersOfOneChannelOneWayInTheOrderOfTheTicks(final int queueThreads) throws Exception
    {
        final long seed = 5;
        final Random random = new Random(seed);
        final Rule[] first = IntStream.range(0, MEMBERS).mapToObj(i -> member(i, i, 1_000)).toArray(Rule[]::new);
        try (LiveNetwork network = new LiveNetwork(1, queueThreads).start(List.of(), first))
        {
            final List<Tick> before = LiveNetwork.ticks(random, 300, 0);
            network.send(before, random);
            final List<Object> expected = symbols(before);
            assertThat(network.rows("all")).as("seed %d", seed).extracting(row -> row.get(0)).isEqualTo(expected);
            assertThat(network.figures("rules")).containsEntry("rowsOut", (long)expected.size());
            for (int query = 0; query < MEMBERS; query++)
            {
                assertThat(rowsOut(network, query)).isEqualTo(of(network.rows("all"), query).size());
            }
            network.remove("q1");
            network.remove("q4");
            final List<Tick> after = LiveNetwork.ticks(random, 300, 300);
            network.send(after, random);
            final List<Tick> all = joined(before, after);
            for (int query = 0; query < MEMBERS; query++)
            {
                final boolean gone = query == 1 || query == 4;
                assertThat(of(network.rows("all"), query)).as("seed %d q%d", seed, query)
                    .isEqualTo(expected(gone ? before : all, query, 1_000));
            }
            assertThat(ownFigures(network)).doesNotContainKeys("q1", "q4").containsKeys("q0", "q5");
        }
    }

    @Test
    void shouldKeepAMemberGoingWhenAnotherOfTheSameValueGoes() throws Exception
    {
        final Random random = new Random(6);
        try (LiveNetwork network = new LiveNetwork(1, 0)
            .start(List.of(), member(0, 3, ROWS), member(1, 3, ROWS), member(2, 3, ROWS), member(3, 4, ROWS)))
        {
            network.remove("q1");
            final List<Tick> ticks = LiveNetwork.ticks(random, 100, 0);
            network.send(ticks, random);
            final List<List<Object>> one = expected(ticks, 3, ROWS);
            assertThat(of(network.rows("all"), 3)).hasSize(2 * one.size()).startsWith(one.get(0), one.get(0));
            assertThat(rowsOut(network, 0)).isEqualTo(one.size());
            assertThat(rowsOut(network, 2)).isEqualTo(one.size());
            network.remove("q0");
            network.remove("q2");
            network.remove("q3");
            final int rows = network.rows("all").size();
            network.send(ticks, random);
            assertThat(network.rows("all")).hasSize(rows);
        }
    }

    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    private static Map<String, Map<String, Object>> ownFigures(final LiveNetwork network)
    {
        return (Map<String, Map<String, Object>>)((Map<?, ?>)network.figures("rules").get("own")).get("queries");
    }

    private static int rowsOut(final LiveNetwork network, final int query)
    {
        return ((Number)ownFigures(network).get("q" + query).get("rowsOut")).intValue();
    }
}

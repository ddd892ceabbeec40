package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that run as one come and go one by one, and the others lose nothing. */
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

    /** What a member puts out over ticks. */
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
}

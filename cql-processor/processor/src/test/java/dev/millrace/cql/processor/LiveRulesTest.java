package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.processor.LiveNetwork.Tick;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.RuleChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that change while events flow, in a real network, compared with independent counts. */
@Tag("slow")
@Tag("slow")
@Timeout(120)
class LiveRulesTest
{
    private static final String COUNT = "IStream(select symbol, count(*) as n from ticks group by symbol)";
    private static final String CHANGES = "select symbol, seqB as n, priceB as price from ticks match_recognize (" +
        "partition by symbol measures B.symbol as symbol, B.seq as seqB, B.price as priceB all matches pattern (A B) " +
        "define B as B.price > A.price) as m";
    private static final String SUMS =
        "IStream(select symbol, count(*) as n, sum(price) as price from ticks[rows 5] group by symbol)";
    private static final String OTHER = "select symbol, seq as n from ticks where price > ";

    private static List<List<Object>> counts(final List<Tick> ticks)
    {
        final Map<String, Long> counts = new HashMap<>();
        final List<List<Object>> rows = new ArrayList<>();
        for (final Tick tick : ticks)
        {
            final List<Object> row = new ArrayList<>();
            row.add(tick.symbol());
            row.add(counts.merge(tick.symbol(), 1L, Long::sum));
            row.add(null);
            rows.add(row);
        }
        return rows;
    }

    private static List<List<Object>> changes(final List<Tick> ticks)
    {
        final Map<String, Tick> last = new HashMap<>();
        final List<List<Object>> rows = new ArrayList<>();
        for (final Tick tick : ticks)
        {
            final Tick before = last.put(tick.symbol(), tick);
            if (before != null && tick.price() > before.price())
            {
                rows.add(List.of(tick.symbol(), tick.seq(), tick.price()));
            }
        }
        return rows;
    }

    /** Rows in the order of their ticks, whose numbers are in the second column. */
    private static List<List<Object>> inOrder(final List<List<Object>> rows)
    {
        return rows.stream().sorted(Comparator.comparing(row -> (Long)row.get(1))).toList();
    }

    /** Number and sum of each symbol among the last five ticks, whenever one of the two changes. */
    private static Map<Object, List<List<Object>>> sums(final List<Tick> ticks)
    {
        final Deque<Tick> window = new ArrayDeque<>();
        final Map<String, List<Object>> last = new HashMap<>();
        final List<List<Object>> rows = new ArrayList<>();
        for (final Tick tick : ticks)
        {
            window.addLast(tick);
            final Tick gone = window.size() > 5 ? window.removeFirst() : null;
            final List<String> touched = new ArrayList<>(List.of(tick.symbol()));
            if (gone != null && !gone.symbol().equals(tick.symbol()))
            {
                touched.add(gone.symbol());
            }
            for (final String symbol : touched)
            {
                final List<Tick> own = window.stream().filter(each -> each.symbol().equals(symbol)).toList();
                final List<Object> row = own.isEmpty() ? null :
                    List.of(symbol, (long)own.size(), own.stream().mapToDouble(Tick::price).sum());
                if (row != null && !row.equals(last.get(symbol)))
                {
                    rows.add(row);
                }
                last.put(symbol, row);
            }
        }
        return LiveNetwork.bySymbol(rows);
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,1", "2,0", "3,2"})
    void shouldLeaveOtherQueriesAloneWhileOneIsReplacedHundredTimes(final int workers, final int queueThreads)
        throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final List<Tick> sent = new ArrayList<>();
        try (LiveNetwork network = new LiveNetwork(workers, queueThreads).start(List.of("count", "changes", "sums"),
            LiveNetwork.query("count", COUNT), LiveNetwork.partitioned("changes", false, CHANGES),
            LiveNetwork.query("sums", SUMS), LiveNetwork.query("other", OTHER + 0)))
        {
            final AtomicBoolean done = new AtomicBoolean();
            final AtomicLong allowed = new AtomicLong();
            final CompletableFuture<Void> feeder = CompletableFuture.runAsync(() ->
            {
                while (!done.get())
                {
                    // As fast as possible, but bounded on a slow machine.
                    while (sent.size() >= allowed.get() && !done.get())
                    {
                        LockSupport.parkNanos(20_000);
                    }
                    final List<Tick> ticks = LiveNetwork.ticks(random, 200, sent.size());
                    sent.addAll(ticks);
                    network.send(ticks, random);
                }
            });
            long longestPauseNs = 0;
            for (int i = 1; i <= 100; i++)
            {
                allowed.addAndGet(1_000);
                final RuleChange change = network.put(LiveNetwork.query("other", OTHER + i));
                longestPauseNs = Math.max(longestPauseNs, change.pausedNs());
                assertThat(LiveNetwork.words(change))
                    .containsExactly("count=KEPT", "changes=KEPT", "sums=KEPT", "other=RESTARTED");
            }
            done.set(true);
            feeder.join();
            System.out.println("ticks=" + sent.size() + " longestPauseUs=" + longestPauseNs / 1_000);
            if (queueThreads < 2)
            {
                assertThat(network.rows("count")).isEqualTo(counts(sent));
                assertThat(LiveNetwork.bySymbol(network.rows("sums"))).isEqualTo(sums(sent));
            }
            assertThat(inOrder(network.rows("changes"))).isEqualTo(changes(sent));
        }
    }

    @Test
    void shouldKeepStateWhenOnlyTheTextChanges() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("count"), LiveNetwork.query("count", COUNT)))
        {
            final Random random = new Random(1);
            final List<Tick> ticks = LiveNetwork.ticks(random, 500, 0);
            network.send(ticks.subList(0, 250), random);

            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("count",
                "istream ( select t.symbol AS symbol,\n count(*) as  n from ticks as t\n group by t.symbol )"))))
                .containsExactly("count=KEPT");

            network.send(ticks.subList(250, 500), random);
            assertThat(network.rows("count")).isEqualTo(counts(ticks));
        }
    }

    @Test
    void shouldSayWhatIsLostAndBeginAnewWhenThePlanChanges() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("sums", "changes"),
            LiveNetwork.query("sums", SUMS), LiveNetwork.query("changes", CHANGES)))
        {
            network.feed().send(List.of(new Tick("A", 1, 1), new Tick("A", 2, 2), new Tick("B", 3, 3)));

            final List<String> words =
                LiveNetwork.words(network.put(LiveNetwork.query("sums", SUMS.replace("rows 5", "rows 2"))));

            assertThat(words).hasSize(2).contains("changes=KEPT");
            assertThat(words.get(0)).isEqualTo("sums=RESTARTED lost window, groups (3 rows)");
            network.feed().send(List.of(new Tick("A", 10, 4), new Tick("A", 20, 5), new Tick("A", 30, 6)));
            assertThat(network.rows("sums").subList(3, 6)).containsExactly(
                List.of("A", 1L, 10.0), List.of("A", 2L, 30.0), List.of("A", 2L, 50.0));
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("changes", OTHER + 3))))
                .containsExactly("sums=KEPT", "changes=RESTARTED lost pattern");
        }
    }

    @Test
    void shouldLoseNothingOfTheOthersWhenAQueryLeavesAFusedPipeline() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("changes", "late"),
            LiveNetwork.view("rising", CHANGES.replace("select symbol, seqB as n, priceB as price", "select *")
                .replace("select * from", "select symbol, seqB, priceB from")),
            LiveNetwork.query("changes", "select symbol, seqB as n, priceB as price from rising"),
            LiveNetwork.query("late", "select symbol, seqB as n from rising where priceB > 50.0")))
        {
            assertThat(network.network().statistics().toString()).contains("query changes_late");
            final Random random = new Random(2);
            final List<Tick> ticks = LiveNetwork.ticks(random, 900, 0);
            network.send(ticks.subList(0, 300), random);
            assertThat(LiveNetwork.words(network.remove("late"))).containsExactly("changes=KEPT",
                "late=STOPPED lost pattern");
            network.send(ticks.subList(300, 600), random);
            assertThat(LiveNetwork.words(network.put(
                LiveNetwork.query("late", "select symbol, seqB as n from rising where priceB > 10.0"))))
                .containsExactly("changes=KEPT", "late=STARTED");
            network.send(ticks.subList(600, 900), random);

            assertThat(network.rows("changes")).isEqualTo(changes(ticks));
            final List<List<Object>> expected = new ArrayList<>(changes(ticks.subList(0, 300)).stream()
                .filter(row -> (double)row.get(2) > 50).toList());
            changes(ticks.subList(600, 900)).stream().filter(row -> (double)row.get(2) > 10).forEach(expected::add);
            assertThat(network.rows("late").stream().map(row -> row.get(1)).toList())
                .isEqualTo(expected.stream().map(row -> row.get(1)).toList());
        }
    }

    @Test
    void shouldStopStartAndRemoveQueries() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("other"), LiveNetwork.query("other", OTHER + 0)))
        {
            network.feed().send(List.of(new Tick("A", 1, 1)));
            assertThat(LiveNetwork.words(network.put(LiveNetwork.stopped(LiveNetwork.query("other", OTHER + 0)))))
                .containsExactly("other=STOPPED");
            network.feed().send(List.of(new Tick("A", 1, 2)));
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("other", OTHER + 0))))
                .containsExactly("other=STARTED");
            network.feed().send(List.of(new Tick("A", 1, 3)));
            assertThat(LiveNetwork.words(network.remove("other"))).containsExactly("other=STOPPED");
            network.feed().send(List.of(new Tick("A", 1, 4)));

            assertThat(network.rows("other").stream().map(row -> row.get(1)).toList()).isEqualTo(List.of(1L, 3L));
            assertThat(network.rows("all").stream().map(row -> row.get(1)).toList()).isEqualTo(List.of(1L, 3L));
            assertThat(network.figures("rules").get("rowsOut")).isEqualTo(2L);
            assertThat(network.figures("all").get("rowsIn")).isEqualTo(2L);
        }
    }

    @Test
    void shouldLetAQueryInWhenNoRuleWasDeployed() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("count")))
        {
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("count", COUNT))))
                .containsExactly("count=STARTED");
            final Random random = new Random(3);
            final List<Tick> ticks = LiveNetwork.ticks(random, 300, 0);
            network.send(ticks, random);

            assertThat(network.rows("count")).isEqualTo(counts(ticks));
            assertThat(network.rows("all")).isEqualTo(counts(ticks));
        }
    }

    @Test
    void shouldPlanAPipelineForAQueryWhoseCharColumnNoOtherOnePutsOut() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of(),
            LiveNetwork.query("prices", "select price from ticks where price > 1000.0")))
        {
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("other", OTHER + 10))))
                .containsExactly("prices=KEPT", "other=STARTED");
            network.feed().send(List.of(new Tick("one", 11, 1), new Tick("two", 1, 2), new Tick("three", 12, 3)));

            assertThat(network.rows("all").stream().map(row -> row.subList(0, 2)).toList())
                .isEqualTo(List.of(List.of("one", 1L), List.of("three", 3L)));
            assertThat(network.figures("rules").toString()).contains("pipeline=other", "flows=[]");
            assertThat(LiveNetwork.words(network.put(LiveNetwork.query("third", OTHER + 12))))
                .containsExactly("prices=KEPT", "other=KEPT", "third=STARTED");
        }
    }

    @Test
    void shouldLeaveEverythingAsItWasWhenAChangeFails() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(2, 0).start(List.of("count"), LiveNetwork.query("count", COUNT)))
        {
            final Random random = new Random(4);
            final List<Tick> ticks = LiveNetwork.ticks(random, 300, 0);
            network.send(ticks.subList(0, 100), random);
            assertThatThrownBy(() -> network.put(LiveNetwork.query("wrong", "select nothing from ticks")))
                .isInstanceOf(DeploymentException.class).hasMessageContaining("CQL-").hasMessageContaining("nothing");
            assertThatThrownBy(() -> network.put(LiveNetwork.query("wrong", "select seq as price from ticks")))
                .hasMessageContaining("EPN-0511").hasMessageContaining("query=wrong column=price type=bigint " +
                    "channel=all property=price expected=double");
            assertThatThrownBy(() -> network.put(LiveNetwork.query("wrong", "select seq as number1 from ticks")))
                .hasMessageContaining("EPN-0512").hasMessageContaining("channel=all properties=[symbol, n, price]");
            assertThatThrownBy(() -> network.network().rules().change("nobody", List.of()))
                .hasMessageContaining("EPN-0522").hasMessageContaining("processors of this application: rules");
            network.send(ticks.subList(100, 300), random);

            assertThat(network.rows("count")).isEqualTo(counts(ticks));
            assertThat(network.figures("rules").toString()).doesNotContain("wrong");
        }
    }

    @Test
    void shouldKeepViewsThatOthersRead() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of(),
            LiveNetwork.view("dear", "select symbol, price, seq from ticks where price > 50.0"),
            LiveNetwork.view("dearer", "select symbol, price, seq from dear where price > 60.0"),
            LiveNetwork.query("q", "select symbol, seq as n from dear"),
            LiveNetwork.query("r", "select symbol, seq as n from ticks")))
        {
            assertThatThrownBy(() -> network.remove("dear")).hasMessageContaining("CQL-8010")
                .hasMessageContaining("view=dear readers=[dearer, q]").hasMessageContaining("stop dearer, q first");
            network.remove("q");
            assertThatThrownBy(() -> network.put(LiveNetwork.stopped(
                LiveNetwork.view("dear", "select symbol, price, seq from ticks where price > 50.0"))))
                .hasMessageContaining("readers=[dearer]");
            network.remove("dearer");
            assertThat(LiveNetwork.words(network.remove("dear"))).containsExactly("r=KEPT");
        }
    }

    @Test
    void shouldRestartOnlyTheReadersOfAReplacedView() throws Exception
    {
        try (LiveNetwork network = new LiveNetwork(1, 0).start(List.of("q"),
            LiveNetwork.view("dear", "select symbol, price, seq from ticks where price > 50.0"),
            LiveNetwork.query("q", "select symbol, seq as n from dear"),
            LiveNetwork.query("count", COUNT)))
        {
            assertThat(LiveNetwork.words(network.put(
                LiveNetwork.view("dear", "select symbol, price, seq from ticks where price > 5.0"))))
                .containsExactly("q=RESTARTED", "count=KEPT");
            network.feed().send(List.of(new Tick("a", 4, 1), new Tick("a", 6, 2), new Tick("a", 60, 3)));

            assertThat(network.rows("q").stream().map(row -> row.get(1)).toList()).isEqualTo(List.of(2L, 3L));
        }
    }
}

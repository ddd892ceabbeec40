package dev.millrace.tuning.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.tuning.nexmark.Feed;
import dev.millrace.tuning.nexmark.NexmarkData;
import dev.millrace.tuning.nexmark.NexmarkFeed;
import dev.millrace.tuning.nexmark.NexmarkNetwork;
import dev.millrace.tuning.nexmark.NexmarkQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queries of Nexmark on some thousand random events, against their definition worked out literally over all events: for
 * a relation the rows that are there at the end, for a stream all rows.
 */
@Tag("slow")
@Timeout(120)
class NexmarkBruteForceTest
{
    private static final int EVENTS = 5_950;
    /** Windows of 10 s are 10 ms here, so that some close within the events, the last of them not at a tick. */
    private static final long WINDOW_NS = 10_000_000;
    private static final int LAST = 10;
    private static final long[] SEEDS = {1, 20260101, 77};

    /** A bid, an auction or a person as values by name. */
    private record Row(Map<String, Object> values)
    {
        private long number(final String name)
        {
            return ((Number)values.get(name)).longValue();
        }

        private Object get(final String name)
        {
            return values.get(name);
        }
    }

    /** All events of a run, read from the batches that the engine gets. */
    private record Events(List<Row> bids, List<Row> auctions, List<Row> persons)
    {
        private long endNs()
        {
            return EVENTS * NexmarkData.STEP_NS - 1;
        }
    }

    private static final Map<String, Function<Events, List<List<Object>>>> LITERAL = new HashMap<>();

    static
    {
        LITERAL.put("q3", NexmarkBruteForceTest::localItems);
        LITERAL.put("q4", events -> categoryMeans(events, winners(events)));
        LITERAL.put("q5", NexmarkBruteForceTest::hotItems);
        LITERAL.put("q5ge", NexmarkBruteForceTest::hotItems);
        LITERAL.put("q7", NexmarkBruteForceTest::highestBids);
        LITERAL.put("q8", NexmarkBruteForceTest::newSellers);
        LITERAL.put("q9", events -> winners(events).stream().map(NexmarkBruteForceTest::winnerRow).toList());
        LITERAL.put("q12", NexmarkBruteForceTest::lastCounts);
        LITERAL.put("q15", events -> statistics(events, bid -> List.of(day(bid)), false));
        LITERAL.put("q16", events -> statistics(events, bid -> List.of(bid.get("channel"), day(bid)), true));
        LITERAL.put("q17", NexmarkBruteForceTest::auctionStatistics);
        LITERAL.put("q18", NexmarkBruteForceTest::lastBids);
        LITERAL.put("q19", NexmarkBruteForceTest::topBids);
        LITERAL.put("q20", NexmarkBruteForceTest::bidsOfCategory);
    }

    static List<String> queries()
    {
        return LITERAL.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("queries")
    void shouldBeWhatTheDefinitionSays(final String name) throws Exception
    {
        for (final long seed : SEEDS)
        {
            for (final boolean milliseconds : new boolean[]{false, true})
            {
                System.out.println("seed=" + seed + " query=" + name + " milliseconds=" + milliseconds);
                final NexmarkData data = new NexmarkData(EVENTS, milliseconds, seed);
                final List<List<Object>> expected = LITERAL.get(name).apply(events(data));
                assertThat(engine(shortened(NexmarkQuery.all().get(name)), data, milliseconds))
                    .as("rows of %s, seed %d, milliseconds %s", name, seed, milliseconds)
                    .containsExactlyInAnyOrderElementsOf(expected);
                assertThat(expected).as("expected rows of %s", name).isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"q4,id", "q5,c.auction", "q5ge,c.auction", "q7,b.auction"})
    void shouldBeWhatTheDefinitionSaysOnSeveralWorkers(final String name, final String partition) throws Exception
    {
        for (int workers = 2; workers <= 4; workers++)
        {
            System.out.println("seed=" + SEEDS[0] + " query=" + name + " workers=" + workers);
            final boolean milliseconds = workers == 3;
            final NexmarkData data = new NexmarkData(EVENTS, milliseconds, SEEDS[0]);
            final NexmarkQuery query = shortened(NexmarkQuery.all().get(name), partition);
            assertThat(engine(query, data, milliseconds, workers)).as("rows of %s, workers %d", name, workers)
                .containsExactlyInAnyOrderElementsOf(LITERAL.get(name).apply(events(data)));
        }
    }

    private static NexmarkQuery shortened(final NexmarkQuery query)
    {
        return shortened(query, query.partition());
    }

    /** Windows of seconds become windows of milliseconds. */
    private static NexmarkQuery shortened(final NexmarkQuery query, final String partition)
    {
        return new NexmarkQuery(query.name(), query.feed(), 0, 0, query.mostEvents(), query.relation(),
            query.openOrder(), partition, query.statements().stream().map(each -> new
            NexmarkQuery.Statement(each.id(), each.view(), each.text().replace(" seconds", " milliseconds"),
            each.columns())).toList(), query.columns(), query.what(), query.note());
    }

    private static List<List<Object>> engine(
        final NexmarkQuery query, final NexmarkData data, final boolean milliseconds) throws Exception
    {
        return engine(query, data, milliseconds, 1);
    }

    private static List<List<Object>> engine(final NexmarkQuery query, final NexmarkData data,
        final boolean milliseconds, final int workers) throws Exception
    {
        final Map<List<Object>, Integer> copies = new HashMap<>();
        try (NexmarkNetwork network = new NexmarkNetwork(query, !milliseconds, workers, batch ->
        {
            for (int i = 0; i < batch.size(); i++)
            {
                final boolean leaves = batch.hasKinds() && batch.kind(i) == EventBatch.DELETE;
                copies.merge(List.copyOf(row(batch, i).values().values()), leaves ? -1 : 1, Integer::sum);
            }
        }))
        {
            network.feed(data, query.feed()).play(0, query.feed().size(data));
            network.drain();
            assertThat(network.rejectedRows()).isZero();
        }
        assertThat(copies.values()).allMatch(each -> each >= 0);
        final List<List<Object>> rows = new ArrayList<>();
        copies.forEach((row, number) -> IntStream.range(0, number).forEach(i -> rows.add(row)));
        return rows;
    }

    private static Row row(final EventBatch batch, final int at)
    {
        final BatchSchema schema = batch.schema();
        final Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < schema.columnCount(); i++)
        {
            values.put(schema.type().properties().get(i).name(), batch.value(i, at));
        }
        return new Row(values);
    }

    private static Events events(final NexmarkData data)
    {
        final Events events = new Events(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        new NexmarkFeed(data, Feed.SPLIT, lane(NexmarkFeed.BID, events.bids()),
            lane(NexmarkFeed.AUCTION, events.auctions()), lane(NexmarkFeed.PERSON, events.persons()))
            .play(0, Feed.SPLIT.size(data));
        return events;
    }

    private static NexmarkFeed.Lane lane(final EventType type, final List<Row> rows)
    {
        return new NexmarkFeed.Lane(new BatchSchema(type), batch ->
            IntStream.range(0, batch.size()).forEach(i -> rows.add(row(batch, i))));
    }

    private static List<List<Object>> localItems(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        for (final Row a : events.auctions())
        {
            for (final Row p : events.persons())
            {
                if (a.number("seller") == p.number("id") && a.number("category") == 10 &&
                    List.of("OR", "ID", "CA").contains(p.get("state")))
                {
                    rows.add(List.of(p.get("name"), p.get("city"), p.get("state"), a.get("id")));
                }
            }
        }
        return rows;
    }

    /** Each auction that has a bid while it is open, with its highest bid, the first of those. */
    private static List<Row> winners(final Events events)
    {
        final List<Row> winners = new ArrayList<>();
        for (final Row a : events.auctions())
        {
            events.bids().stream().filter(b -> b.number("auction") == a.number("id") &&
                b.number("dt") >= a.number("dt") && b.number("dt") <= a.number("expires"))
                .max(Comparator.comparingLong((Row b) -> b.number("price")).thenComparingLong(b -> -b.number("dt")))
                .ifPresent(b ->
                {
                    final Map<String, Object> both = new HashMap<>(a.values());
                    both.put("bidder", b.get("bidder"));
                    both.put("price", b.get("price"));
                    both.put("bdt", b.get("dt"));
                    winners.add(new Row(both));
                });
        }
        return winners;
    }

    private static List<Object> winnerRow(final Row row)
    {
        return columns(row, "id", "item", "seller", "category", "bidder", "price", "bdt", "expires");
    }

    private static List<List<Object>> categoryMeans(final Events events, final List<Row> winners)
    {
        return winners.stream().collect(Collectors.groupingBy(row -> row.get("category"))).entrySet().stream()
            .map(group -> List.of(group.getKey(), mean(group.getValue()))).toList();
    }

    private static Object mean(final List<Row> rows)
    {
        return (float)((double)rows.stream().mapToLong(row -> row.number("price")).sum() / rows.size());
    }

    /** Bids of the window that ends at a tick: those after its beginning up to and with its end. */
    private static List<Row> window(final List<Row> rows, final long endNs)
    {
        return rows.stream().filter(r -> r.number("dt") > endNs - WINDOW_NS && r.number("dt") <= endNs).toList();
    }

    private static List<List<Object>> hotItems(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        TreeSet<String> before = new TreeSet<>();
        for (long tick = 0; tick <= events.endNs(); tick += WINDOW_NS / 5)
        {
            final Map<Object, Long> counts = window(events.bids(), tick).stream()
                .collect(Collectors.groupingBy(b -> b.get("auction"), Collectors.counting()));
            final long most = counts.values().stream().mapToLong(Long::longValue).max().orElse(0);
            final TreeSet<String> now = new TreeSet<>();
            for (final Map.Entry<Object, Long> each : counts.entrySet())
            {
                if (each.getValue() == most)
                {
                    now.add(each.toString());
                    if (!before.contains(each.toString()))
                    {
                        rows.add(List.of(each.getKey(), most));
                    }
                }
            }
            before = now;
        }
        return rows;
    }

    private static List<List<Object>> highestBids(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        for (long tick = 0; tick <= events.endNs(); tick += WINDOW_NS)
        {
            final List<Row> window = window(events.bids(), tick);
            final long best = window.stream().mapToLong(b -> b.number("price")).max().orElse(0);
            window.stream().filter(b -> b.number("price") == best)
                .forEach(b -> rows.add(columns(b, "auction", "price", "bidder", "dt", "extra")));
        }
        return rows;
    }

    private static List<List<Object>> newSellers(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        for (long tick = 0; tick <= events.endNs(); tick += WINDOW_NS)
        {
            final List<Row> auctions = window(events.auctions(), tick);
            window(events.persons(), tick).stream()
                .filter(p -> auctions.stream().anyMatch(a -> a.number("seller") == p.number("id")))
                .forEach(p -> rows.add(columns(p, "id", "name")));
        }
        return rows;
    }

    /** Of the last window that has ended. */
    private static List<List<Object>> lastCounts(final Events events)
    {
        return window(events.bids(), events.endNs() / WINDOW_NS * WINDOW_NS).stream()
            .collect(Collectors.groupingBy(b -> b.get("bidder"), Collectors.counting())).entrySet().stream()
            .map(each -> List.<Object>of(each.getKey(), each.getValue())).toList();
    }

    private static Object day(final Row bid)
    {
        return bid.number("dt") / 86_400_000_000_000L;
    }

    private static boolean isOfRank(final Row bid, final int rank)
    {
        final long price = bid.number("price");
        return rank == 0 || rank == 1 && price < 10_000 || rank == 2 && price >= 10_000 && price < 1_000_000 ||
            rank == 3 && price >= 1_000_000;
    }

    private static List<List<Object>> statistics(
        final Events events, final Function<Row, List<Object>> group, final boolean withMinute)
    {
        final List<List<Object>> rows = new ArrayList<>();
        events.bids().stream().collect(Collectors.groupingBy(group)).forEach((key, bids) ->
        {
            final List<Object> row = new ArrayList<>(key);
            if (withMinute)
            {
                row.add(bids.stream().mapToLong(b -> b.number("dt") / 60_000_000_000L).max().orElseThrow());
            }
            IntStream.range(0, 4).forEach(rank -> row.add(bids.stream().filter(b -> isOfRank(b, rank)).count()));
            for (final String column : List.of("bidder", "auction"))
            {
                IntStream.range(0, 4).forEach(rank -> row.add(
                    bids.stream().filter(b -> isOfRank(b, rank)).map(b -> b.get(column)).distinct().count()));
            }
            rows.add(row);
        });
        return rows;
    }

    private static List<List<Object>> auctionStatistics(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        events.bids().stream().collect(Collectors.groupingBy(b -> List.of(b.get("auction"), day(b))))
            .forEach((key, bids) ->
            {
                final List<Object> row = new ArrayList<>(key);
                IntStream.range(0, 4).forEach(rank -> row.add(bids.stream().filter(b -> isOfRank(b, rank)).count()));
                row.add(bids.stream().mapToLong(b -> b.number("price")).min().orElseThrow());
                row.add(bids.stream().mapToLong(b -> b.number("price")).max().orElseThrow());
                row.add(mean(bids));
                row.add(bids.stream().mapToLong(b -> b.number("price")).sum());
                rows.add(row);
            });
        return rows;
    }

    private static List<Object> bidRow(final Row bid)
    {
        return columns(bid, "auction", "bidder", "price", "channel", "url", "dt", "extra");
    }

    private static List<List<Object>> lastBids(final Events events)
    {
        final Map<List<Object>, List<Object>> last = new HashMap<>();
        events.bids().forEach(b -> last.put(columns(b, "bidder", "auction"), bidRow(b)));
        return List.copyOf(last.values());
    }

    private static List<List<Object>> topBids(final Events events)
    {
        return events.bids().stream().collect(Collectors.groupingBy(b -> b.get("auction"))).values().stream()
            .flatMap(bids -> bids.stream().sorted(Comparator.comparingLong(b -> -b.number("price"))).limit(LAST))
            .map(NexmarkBruteForceTest::bidRow).toList();
    }

    private static List<List<Object>> bidsOfCategory(final Events events)
    {
        final List<List<Object>> rows = new ArrayList<>();
        for (final Row b : events.bids())
        {
            for (final Row a : events.auctions())
            {
                if (b.number("auction") == a.number("id") && a.number("category") == 10)
                {
                    final List<Object> row = new ArrayList<>(bidRow(b));
                    row.addAll(columns(a, "item", "descr", "initialBid", "reserve", "dt", "expires", "seller",
                        "category", "extra"));
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static List<Object> columns(final Row row, final String... names)
    {
        final List<Object> values = new ArrayList<>();
        for (final String name : names)
        {
            values.add(row.get(name));
        }
        return values;
    }
}

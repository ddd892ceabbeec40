package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Results of queries with so many keys that the keys of a batch are found before its rows are processed, compared with
 * maps. Some keys are null, some rows do not pass the filter. The seed is fixed.
 */
@Timeout(120)
class ManyKeysTest
{
    private static final int ROWS = 60_000;
    private static final int KEYS = 30_000;
    private static final EventType LEFT = EventType.tuple("S", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("part", CqlType.BIGINT), new EventProperty("name", CqlType.CHAR),
        new EventProperty("x", CqlType.BIGINT));
    private static final EventType RIGHT = EventType.tuple("T", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("note", CqlType.CHAR));

    /** An event; null ids are null values of the column. */
    private record Event(Long id, long part, String name, long x)
    {
    }

    private final Map<List<Object>, Integer> rows = new HashMap<>();
    private final Map<String, Integer> rejected = new HashMap<>();
    private final Random random = new Random(4711);
    private FlowEngine engine;
    private FlowPlan plan;
    private int next;

    private void start(final String query) throws Exception
    {
        final Catalog catalog = Catalog.builder()
            .add(channel("S", LEFT)).add(channel("T", RIGHT)).build();
        plan = new RulePlanner().flowsOnly().plan("p", List.of(RuleText.query("q", query)), catalog).flows().get(0);
        final BatchSchema schema = new BatchSchema(plan.outputs().get(0).type());
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(Map.of("q", schema),
            Map.of("q", this::collect), Map.of(), Map.of(), Map.of(),
            (count, reason, detail) -> rejected.merge(reason, count, Integer::sum), FlowBindings.DEFAULT_MAX_ROWS,
            MemoryAccount.NONE, 0));
    }

    private static Catalog.ChannelSource channel(final String name, final EventType type)
    {
        return new Catalog.ChannelSource(
            name, type, false, FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of());
    }

    private void collect(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                final boolean isText = batch.texts(column) != null;
                values.add(isText ? String.valueOf(batch.texts(column).string(row)) :
                    batch.hasNulls(column) && batch.isNull(column, row) ? "null" :
                        (Object)batch.longs(column)[row]);
            }
            final boolean leaves = batch.hasKinds() && batch.kinds()[row] == EventBatch.DELETE;
            rows.merge(values, leaves ? -1 : 1, (a, b) -> a + b == 0 ? null : a + b);
        }
    }

    private Event event()
    {
        final int id = random.nextInt(KEYS);
        return new Event(id % 1_000 == 0 ? null : (Long)(long)id, random.nextInt(2),
            random.nextInt(3) == 0 ? "short" : "a longer name " + random.nextInt(1_000), next++);
    }

    private void send(final List<Event> events)
    {
        send(events, number ->
        {
        });
    }

    /**
     * Sends all events in full batches, with a separate time for each.
     *
     * @param afterBatch receives the number of each batch
     */
    private void send(final List<Event> events, final IntConsumer afterBatch)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(LEFT));
        long timeNs = 0;
        for (int from = 0; from < events.size(); from += EventBatch.CAPACITY)
        {
            batch.clear();
            final int size = Math.min(EventBatch.CAPACITY, events.size() - from);
            for (int row = 0; row < size; row++)
            {
                final Event event = events.get(from + row);
                if (event.id == null)
                {
                    batch.setNull(0, row);
                }
                else
                {
                    batch.longs(0)[row] = event.id;
                }
                batch.longs(1)[row] = event.part;
                batch.texts(2).set(row, event.name);
                batch.longs(3)[row] = event.x;
                batch.useTimestampPerRow()[row] = ++timeNs;
            }
            batch.size(size);
            engine.onBatch(input("S"), batch);
            afterBatch.accept(from / EventBatch.CAPACITY);
        }
    }

    private int input(final String channel)
    {
        for (int i = 0; i < plan.sources().size(); i++)
        {
            if (plan.sources().get(i).name().equals(channel))
            {
                return i;
            }
        }
        throw new IllegalArgumentException(channel);
    }

    private List<Event> events()
    {
        final List<Event> events = new ArrayList<>();
        for (int i = 0; i < ROWS; i++)
        {
            events.add(event());
        }
        return events;
    }

    private void check(final Map<List<Object>, Integer> expected)
    {
        assertThat(rejected).isEmpty();
        assertThat(rows.size()).as("different rows").isEqualTo(expected.size());
        assertThat(rows.equals(expected)).as("rows").isTrue();
    }

    private static Object shown(final Long id)
    {
        return id == null ? "null" : id;
    }

    @Test
    void shouldCountTheRowsOfManyGroupsBehindAFilter() throws Exception
    {
        start("select id, count(*) as n from S where name <> 'short' group by id");
        final List<Event> events = events();
        send(events);
        final Map<Object, Long> counts = new HashMap<>();
        events.stream().filter(event -> !event.name.equals("short"))
            .forEach(event -> counts.merge(shown(event.id), 1L, Long::sum));
        final Map<List<Object>, Integer> expected = new HashMap<>();
        counts.forEach((id, count) -> expected.put(List.of(id, count), 1));
        check(expected);
    }

    @Test
    void shouldKeepTheLastRowOfManyPartitionsOfTwoColumns() throws Exception
    {
        start("select id, part, name, x from S [partition by id, part rows 1]");
        final List<Event> events = events();
        send(events);
        final Map<List<Object>, Event> last = new HashMap<>();
        events.forEach(event -> last.put(List.of(shown(event.id), event.part), event));
        final Map<List<Object>, Integer> expected = new HashMap<>();
        last.values().forEach(each -> expected.put(List.of(shown(each.id), each.part, each.name, each.x), 1));
        check(expected);
    }

    @Test
    void shouldKeepTheFirstRowsOfManyPartitions() throws Exception
    {
        start("select id, name, x from S order by part, x desc rows 2 partition by id");
        final List<Event> events = events();
        send(events);
        final Map<Object, List<Event>> all = new HashMap<>();
        events.forEach(event -> all.computeIfAbsent(shown(event.id), key -> new ArrayList<>()).add(event));
        final Map<List<Object>, Integer> expected = new HashMap<>();
        all.values().forEach(each -> each.stream()
            .sorted(Comparator.comparingLong(Event::part).thenComparing(Event::x, Comparator.reverseOrder())).limit(2)
            .forEach(event -> expected.put(List.of(shown(event.id), event.name, event.x), 1)));
        check(expected);
    }

    @Test
    void shouldJoinTheRowsOfManyKeysWithStringsOfBothSides() throws Exception
    {
        start("select a.id as id, a.name as name, a.x as x, b.note as note from S as a, T as b where a.id = b.id");
        final List<Event> events = events();
        final EventBatch notes = new EventBatch(new BatchSchema(RIGHT));
        final Map<Long, String> noteOf = new HashMap<>();
        send(events, number ->
        {
            notes.clear();
            for (int row = 0; row < 100; row++)
            {
                final long id = number * 100L + row;
                notes.longs(0)[row] = id;
                notes.texts(1).set(row, row % 2 == 0 ? "note" : "a longer note on " + id);
                notes.useTimestampPerRow()[row] = number * (long)EventBatch.CAPACITY + row + 1;
                noteOf.put(id, notes.texts(1).string(row));
            }
            notes.size(100);
            engine.onBatch(input("T"), notes);
        });
        for (final String channel : List.of("S", "T"))
        {
            final EventBatch time = new EventBatch(new BatchSchema(channel.equals("S") ? LEFT : RIGHT));
            time.baseTimestampNs(2 * ROWS);
            engine.onBatch(input(channel), time);
        }
        final Map<List<Object>, Integer> expected = new HashMap<>();
        events.stream().filter(event -> event.id != null && noteOf.containsKey(event.id))
            .forEach(event -> expected.put(List.of(event.id, event.name, event.x, noteOf.get(event.id)), 1));
        check(expected);
    }
}

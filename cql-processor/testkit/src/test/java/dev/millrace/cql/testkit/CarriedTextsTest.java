package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.string.StringTable;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Strings that windows, joins and first rows only carry: they are right, are not looked up, and count as memory. What
 * is expected is worked out here from lists.
 */
@Timeout(120)
class CarriedTextsTest
{
    private static final EventType TYPE = EventType.tuple("S", new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("t", CqlType.CHAR),
        new EventProperty("u", CqlType.CHAR));
    private static final int ROWS = 4_000;
    private static final long MILLISECOND = 1_000_000L;
    private static final int RANGE_MS = 50;

    private final Map<List<Object>, Integer> bag = new HashMap<>();
    private final List<List<Object>> entered = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();
    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final MemoryBudget budget = new MemoryBudget(8 << 20, new ManualClock(0));
    private MemoryAccount memory = MemoryAccount.NONE;
    private StringTable codes;
    private FlowEngine engine;
    private int maxCodes = 1 << 20;

    private record In(int k, int v, String t, String u)
    {
    }

    private void start(final String text) throws Exception
    {
        final Catalog.Builder catalog = Catalog.builder();
        for (final String channel : List.of("S", "R"))
        {
            catalog.add(new Catalog.ChannelSource(channel, TYPE, false, false, List.of()));
        }
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", List.of(RuleText.query("q", text)),
            catalog.build()).flows().get(0);
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(plan.outputs().get(0).type())), Map.of("q", this::take), Map.of(), Map.of(),
            Map.of(), (rows, reason, detail) -> rejected.merge(reason, rows, Integer::sum),
            FlowBindings.DEFAULT_MAX_ROWS, memory, 0, FlowBindings.DEFAULT_MAX_ATTEMPTS, () ->
            codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, maxCodes, 100)));
    }

    private void take(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                values.add(out.value(column, row));
            }
            final boolean leaves = out.kind(row) == EventBatch.DELETE;
            bag.merge(values, leaves ? -1 : 1, Integer::sum);
            bag.remove(values, 0);
            if (!leaves)
            {
                entered.add(values);
            }
        }
    }

    private void text(final int column, final String text, final boolean isObject)
    {
        if (isObject || text == null)
        {
            batch.texts(column).set(0, text);
            return;
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        batch.texts(column).set(0, bytes, 0, bytes.length);
    }

    private void send(final String channel, final long timeMs, final In row, final boolean areObjects)
    {
        batch.clear();
        batch.ints(0)[0] = row.k;
        batch.ints(1)[0] = row.v;
        text(2, row.t, areObjects);
        text(3, row.u, areObjects);
        batch.useTimestampPerRow()[0] = timeMs * MILLISECOND;
        batch.size(1);
        engine.onBatch(engine.source(channel), batch);
    }

    private void heartbeat(final String channel, final long timeMs)
    {
        batch.clear();
        batch.baseTimestampNs(timeMs * MILLISECOND);
        engine.onBatch(engine.source(channel), batch);
    }

    private static In row(final Random random, final int keys)
    {
        return new In(random.nextInt(keys), random.nextInt(1_000), random.nextInt(9) == 0 ? null :
            "a carried text " + "é".repeat(random.nextInt(2)) + random.nextInt(5) + "-".repeat(random.nextInt(90)),
            "another carried text " + random.nextInt(3));
    }

    private static List<In> rows(final int keys)
    {
        final long seed = Long.getLong("seed", 11);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final List<In> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++)
        {
            rows.add(row(random, keys));
        }
        return rows;
    }

    private static List<Object> values(final Object... values)
    {
        return new ArrayList<>(Arrays.asList(values));
    }

    private static Map<List<Object>, Integer> bagOf(final List<List<Object>> rows)
    {
        final Map<List<Object>, Integer> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row, 1, Integer::sum));
        return counts;
    }

    /** Rows of ten milliseconds have one time, so that rows leave and enter within an instant. */
    private void feed(final List<In> rows, final boolean areObjects)
    {
        for (int i = 0; i < rows.size(); i++)
        {
            send("S", i / 10, rows.get(i), areObjects);
        }
        heartbeat("S", rows.size());
        assertThat(rejected).isEmpty();
        assertThat(codes.size()).as("texts that were looked up").isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryTheLastRowOfEachKey(final boolean areObjects) throws Exception
    {
        start("select k, v, t, u from S [partition by k rows 1]");
        final List<In> rows = rows(40);
        feed(rows, areObjects);
        final Map<Integer, List<Object>> last = new HashMap<>();
        rows.forEach(row -> last.put(row.k, values(row.k, row.v, row.t, row.u)));
        assertThat(bag).isEqualTo(bagOf(new ArrayList<>(last.values())));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryTheFirstRowsOfEachPart(final boolean areObjects) throws Exception
    {
        start("select k, v, t, u from S order by v desc rows 3 partition by k");
        final List<In> rows = rows(40);
        feed(rows, areObjects);
        final List<List<Object>> expected = new ArrayList<>();
        for (int key = 0; key < 40; key++)
        {
            final int part = key;
            rows.stream().filter(row -> row.k == part).sorted(Comparator.comparingInt((In row) -> -row.v)).limit(3)
                .forEach(row -> expected.add(values(row.k, row.v, row.t, row.u)));
        }
        assertThat(bag).isEqualTo(bagOf(expected));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryTheRowsOfAWindow(final boolean areObjects) throws Exception
    {
        start("select k, t, u from S [range " + RANGE_MS + " milliseconds]");
        final List<In> rows = rows(2);
        for (int i = 0; i < rows.size(); i++)
        {
            send("S", i / 10, rows.get(i), areObjects);
        }
        heartbeat("S", (rows.size() - 1) / 10 + 1);
        assertThat(codes.size()).as("texts that were looked up").isZero();
        final List<List<Object>> expected = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++)
        {
            if (i / 10 + RANGE_MS > (rows.size() - 1) / 10 + 1)
            {
                expected.add(values(rows.get(i).k, rows.get(i).t, rows.get(i).u));
            }
        }
        assertThat(bag).isEqualTo(bagOf(expected));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCarryTextsOfBothSidesOfAJoin(final boolean areObjects) throws Exception
    {
        start("IStream(select a.t as t, b.t as bt, a.u as u, b.v as v from S [range " + RANGE_MS +
            " milliseconds] as a, R [range " + RANGE_MS + " milliseconds] as b where a.k = b.k)");
        final List<In> rows = rows(400);
        for (int i = 0; i < rows.size(); i++)
        {
            send(i % 2 == 0 ? "S" : "R", i, rows.get(i), areObjects || i % 3 == 0);
        }
        heartbeat("S", rows.size());
        heartbeat("R", rows.size());
        assertThat(codes.size()).as("texts that were looked up").isZero();
        final List<List<Object>> expected = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++)
        {
            for (int j = Math.max(0, i - RANGE_MS + 1); j < i; j++)
            {
                if (rows.get(i).k == rows.get(j).k && i % 2 != j % 2)
                {
                    final In a = rows.get(i % 2 == 0 ? i : j);
                    final In b = rows.get(i % 2 == 0 ? j : i);
                    expected.add(values(a.t, b.t, a.u, b.v));
                }
            }
        }
        assertThat(bagOf(entered)).isEqualTo(bagOf(expected));
    }

    /** Only the texts tell the rows of an instant apart, which are too many to be compared with each other. */
    @Test
    void shouldNetRowsThatOnlyTheirTextsTellApart() throws Exception
    {
        start("IStream(select t, u from S [range 1 milliseconds])");
        for (int instant = 0; instant < 20; instant++)
        {
            for (int i = 0; i < 2_000; i++)
            {
                final String text = "text of the instant before " + (i + instant % 2);
                send("S", instant, new In(0, 0, text, "u" + i), i % 2 == 0);
            }
        }
        heartbeat("S", 20);
        assertThat(entered).hasSize(20 * 2_000);
        entered.clear();
        start("IStream(select t from S [range 1 milliseconds])");
        for (int instant = 0; instant < 20; instant++)
        {
            for (int i = 0; i < 2_000; i++)
            {
                send("S", instant, new In(0, 0, "text of every instant " + (i + instant), null), i % 2 == 0);
            }
        }
        heartbeat("S", 20);
        assertThat(bagOf(entered).values().stream().mapToInt(Integer::intValue).sum())
            .as("each instant has one text that the one before had not").isEqualTo(2_000 + 19);
    }

    /** Where a text is compared above a window, those that the window carries have codes that equal ones share. */
    @Test
    void shouldCompareTextsThatComeFromAWindow() throws Exception
    {
        start("IStream(select a.t as t, b.v as v from S [range 50 milliseconds] as a, R [range 50 milliseconds] as b "
            + "where a.k = b.k and a.t = b.t)");
        final List<In> rows = rows(4);
        int expected = 0;
        for (int i = 0; i < rows.size(); i++)
        {
            send(i % 2 == 0 ? "S" : "R", i, rows.get(i), i % 3 == 0);
            for (int j = Math.max(0, i - RANGE_MS + 1); j < i; j++)
            {
                expected += i % 2 != j % 2 && rows.get(i).k == rows.get(j).k && rows.get(i).t != null &&
                    rows.get(i).t.equals(rows.get(j).t) ? 1 : 0;
            }
        }
        heartbeat("S", rows.size());
        heartbeat("R", rows.size());
        assertThat(entered).hasSize(expected);
    }

    /** Rows are turned away whole, and are taken again when others have left. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTurnRowsAwayWhoseTextsTheBudgetHasNoRoomFor(final boolean areObjects) throws Exception
    {
        memory = budget.open(new MemoryHolder("app", "proc", "q", "state"));
        start("select k, t from S [range 1 second]");
        for (int i = 0; i < 1_000; i++)
        {
            send("S", i / 10, new In(i, 0, "x".repeat(20_000) + i, null), areObjects);
        }
        assertThat(rejected.keySet()).containsExactly(MemoryAccount.MEMORY_FULL);
        assertThat(bag.size() + rejected.get(MemoryAccount.MEMORY_FULL)).isBetween(990, 1_000);
        assertThat(bag.keySet()).allMatch(row -> row.equals(List.of(row.get(0), "x".repeat(20_000) + row.get(0))));
        assertThat(memory.bytes()).as("far below what the ring has places for").isLessThan(9 << 20);
        heartbeat("S", 2_000);
        rejected.clear();
        send("S", 2_001, new In(1, 0, "taken again", null), areObjects);
        heartbeat("S", 2_002);
        assertThat(rejected).isEmpty();
        assertThat(bag.keySet()).containsExactly(List.of(1, "taken again"));
    }

    @Test
    void shouldLeaveNothingOfARowThatIsRejectedForItsSecondText() throws Exception
    {
        maxCodes = 3;
        start("select s.v from S[range 50 milliseconds] as s, R[range 50 milliseconds] as r " +
            "where s.k = r.k and (s.t < r.t or s.u < r.u or s.v = 2)");

        send("S", 1, new In(1, 1, "first", "second"), false);
        for (int i = 0; i < 10; i++)
        {
            send("S", 2 + i, new In(1, 2, "third " + i, "fourth " + i), false);
        }
        send("R", 20, new In(1, 3, "second", "second"), false);
        assertThat(rejected).containsExactly(Map.entry("state-full", 10));

        heartbeat("S", 200);
        heartbeat("R", 200);
        heartbeat("S", 201);
        assertThat(entered).containsExactly(List.of(1));
        assertThat(codes.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "select k, max(t), max(u), count(*) from S[range 50 milliseconds] group by k",
        "select k, max(t), max(u), count(*) from S[range 50 milliseconds slide 10 milliseconds] group by k",
        "select k, max(lower(t)), max(lower(u)), count(*) from S[range 50 milliseconds] group by k",
        "select k, max(t), max(u), count(v) filter (where v >= 0) from S[range 50 milliseconds] group by k " +
            "having count(distinct t) > 0 and count(distinct u) > 0"})
    void shouldCountNoRowThatIsRejectedForATextInAnyGroup(final String text) throws Exception
    {
        maxCodes = 8;
        start(text);
        final long seed = Long.getLong("seed", 12);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<Long, In> accepted = new TreeMap<>();
        for (int i = 1; i <= 2_000; i++)
        {
            final In row = new In(random.nextInt(3), 0, "first " + random.nextInt(8), "second " + random.nextInt(8));
            final int before = rejected.getOrDefault("state-full", 0);
            send("S", 2L * i, row, false);
            if (rejected.getOrDefault("state-full", 0) == before)
            {
                accepted.put(2L * i, row);
            }
            if (i % 25 == 0)
            {
                heartbeat("S", 2L * i + 1);
                assertThat(bag).as("after row " + i).isEqualTo(greatest(accepted, 2L * i, text.contains("slide")));
            }
        }
        assertThat(rejected.get("state-full")).isBetween(100, 1_900);
        assertThat(rejected).hasSize(1);
    }

    /** Greatest texts and number of rows of each group at a time: of the last 50 ms, in steps of 10 ms with a slide. */
    private static Map<List<Object>, Integer> greatest(
        final Map<Long, In> rows, final long timeMs, final boolean isSliding)
    {
        final Map<Integer, List<In>> groups = new TreeMap<>();
        final long end = isSliding ? timeMs / 10 * 10 : timeMs;
        rows.forEach((time, row) ->
        {
            if (time > end - RANGE_MS && time <= end)
            {
                groups.computeIfAbsent(row.k, key -> new ArrayList<>()).add(row);
            }
        });
        final List<List<Object>> expected = new ArrayList<>();
        groups.forEach((key, members) -> expected.add(values(key,
            members.stream().map(In::t).max(Comparator.naturalOrder()).orElseThrow(),
            members.stream().map(In::u).max(Comparator.naturalOrder()).orElseThrow(), (long)members.size())));
        return bagOf(expected);
    }
}

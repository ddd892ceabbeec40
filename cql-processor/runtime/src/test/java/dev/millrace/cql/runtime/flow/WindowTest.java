package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.window.TimeWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows against their definition: contents computed from scratch at every instant. */
@Timeout(60)
class WindowTest
{
    private static final int RUNS = 60;
    private static final int ROWS = 25;
    private static final long LAST_NS = 60;

    /** A row that came. */
    private record Row(long timeNs, List<Object> values)
    {
        Object key()
        {
            return values.get(0);
        }

        int value()
        {
            return (Integer)values.get(1);
        }
    }

    /** Contents of a window at an instant, of the rows that came so far. */
    private interface Definition
    {
        List<Row> at(List<Row> rows, long timeNs);
    }

    /** A window and what it means. */
    private record Case(String name, Function<FlowOperator, FlowOperator> window, Definition definition)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    private static long down(final long timeNs, final long period)
    {
        return Math.floorDiv(timeNs, period) * period;
    }

    private static List<Row> where(final List<Row> rows, final java.util.function.Predicate<Row> condition)
    {
        return rows.stream().filter(condition).toList();
    }

    private static List<Row> last(final List<Row> rows, final long count)
    {
        return rows.subList((int)Math.max(0, rows.size() - count), rows.size());
    }

    private static List<Row> lastOfEachKey(final List<Row> rows, final int count)
    {
        final Map<Object, List<Row>> groups = new HashMap<>();
        rows.forEach(row -> groups.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row));
        final List<Row> found = new ArrayList<>();
        groups.values().forEach(group -> found.addAll(last(group, count)));
        return found;
    }

    /** Rows of a key that no gap of the key, counted to the instant, separates from it. */
    private static List<Row> openSessions(final List<Row> rows, final long gapNs, final long at)
    {
        return where(rows, row ->
        {
            long endNs = row.timeNs() + gapNs;
            for (final Row other : rows)
            {
                if (Objects.equals(other.key(), row.key()) && other.timeNs() >= row.timeNs() && other.timeNs() < endNs)
                {
                    endNs = Math.max(endNs, other.timeNs() + gapNs);
                }
            }
            return at < endNs;
        });
    }

    static Stream<Case> cases()
    {
        return Stream.of(
            new Case("now", in -> new RangeWindow(in, 1),
                (rows, at) -> where(rows, row -> row.timeNs() == at)),
            new Case("unbounded", in -> new RangeWindow(in, FlowOperator.NEVER), (rows, at) -> rows),
            new Case("range 5", in -> new RangeWindow(in, 5),
                (rows, at) -> where(rows, row -> at - 5 < row.timeNs())),
            new Case("range 7 slide 3", in -> new SlideWindow(in, 7, 3), (rows, at) ->
                where(rows, row -> down(at, 3) - 7 < row.timeNs() && row.timeNs() <= down(at, 3))),
            new Case("range 2 slide 10", in -> new SlideWindow(in, 2, 10), (rows, at) ->
                where(rows, row -> down(at, 10) - 2 < row.timeNs() && row.timeNs() <= down(at, 10))),
            new Case("rows 1", in -> new RowsWindow(in, 1, 1), (rows, at) -> last(rows, 1)),
            new Case("rows 4", in -> new RowsWindow(in, 4, 1), (rows, at) -> last(rows, 4)),
            new Case("rows 4 slide 3", in -> new RowsWindow(in, 4, 3), (rows, at) ->
                last(rows.subList(0, rows.size() / 3 * 3), 4)),
            new Case("rows 2 slide 5", in -> new RowsWindow(in, 2, 5), (rows, at) ->
                last(rows.subList(0, rows.size() / 5 * 5), 2)),
            new Case("partition rows 2", in -> new PartitionWindow(in, new int[]{0}, 2, 0, 0),
                (rows, at) -> lastOfEachKey(rows, 2)),
            new Case("partition rows 2 range 6", in -> new PartitionWindow(in, new int[]{0}, 2, 6, 0), (rows, at) ->
                where(lastOfEachKey(rows, 2), row -> at - 6 < row.timeNs())),
            new Case("partition rows 2 range 6 slide 4", in -> new PartitionWindow(in, new int[]{0}, 2, 6, 4),
                (rows, at) -> where(lastOfEachKey(where(rows, row -> row.timeNs() <= down(at, 4)), 2),
                    row -> down(at, 4) - 6 < row.timeNs())),
            new Case("session gap 3 by key", in -> new SessionWindow(in, new int[]{0}, 3),
                (rows, at) -> openSessions(rows, 3, at)),
            new Case("user's since the last ten",
                in -> new UserWindow(in, "w", new Bounds(at -> down(at, 10) - 1, at -> at, at -> down(at, 10) + 10)),
                (rows, at) -> where(rows, row -> row.timeNs() >= down(at, 10))),
            new Case("user's late",
                in -> new UserWindow(in, "w", new Bounds(at -> at - 8, at -> at - 3, at -> at + 1)),
                (rows, at) -> where(rows, row -> at - 8 < row.timeNs() && row.timeNs() <= at - 3)));
    }

    /** A user's window. */
    private record Bounds(LongUnaryOperator after, LongUnaryOperator until, LongUnaryOperator next)
        implements TimeWindow
    {
        @Override
        public long afterNs(final long nowNs)
        {
            return after.applyAsLong(nowNs);
        }

        @Override
        public long untilNs(final long nowNs)
        {
            return until.applyAsLong(nowNs);
        }

        @Override
        public long nextNs(final long nowNs, final long oldestNs)
        {
            return next.applyAsLong(nowNs);
        }
    }

    @Test
    void shouldCountTheFailureWhenAUsersWindowThrows()
    {
        final TimeWindow failing = new Bounds(at ->
        {
            if (at == 2)
            {
                throw new IllegalArgumentException("two");
            }
            return at - 5;
        }, at -> at, at -> at == 3 ? 3 : at + 1);
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false, FlowHarness.TYPE,
            in -> new UserWindow(in.get(0), "w", failing));
        for (int at = 1; at <= 4; at++)
        {
            flow.row(0, at, EventBatch.INSERT, at, at, 0.0, "a");
        }
        flow.heartbeat(0, 7);
        assertThat(flow.lines).containsExactly("1 + [1, 1, 0.0, a]", "3 + [2, 2, 0.0, a]", "3 + [3, 3, 0.0, a]",
            "4 + [4, 4, 0.0, a]", "6 - [1, 1, 0.0, a]", "7 - [2, 2, 0.0, a]");
        assertThat(flow.rejected).containsExactly(Map.entry(UserWindow.FAILED, 2));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldHoldWhatItsDefinitionSaysWhenRowsComeAtRandom(final Case window)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        for (int run = 0; run < RUNS; run++)
        {
            check(window, new Random(seed + run), "seed=" + (seed + run));
        }
    }

    private static void check(final Case window, final Random random, final String what)
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, false, FlowHarness.TYPE,
            in -> window.window().apply(in.get(0)));
        final List<Row> rows = new ArrayList<>();
        final TreeSet<Long> times = new TreeSet<>();
        long timeNs = 0;
        for (int i = 0; i < ROWS; i++)
        {
            timeNs += random.nextInt(4);
            final Row row = new Row(timeNs, java.util.Arrays.asList(random.nextInt(4) == 0 ? null : random.nextInt(3),
                random.nextInt(3), 1.5, "x"));
            rows.add(row);
            times.add(timeNs);
            flow.row(0, timeNs, EventBatch.INSERT, row.values().toArray());
        }
        final long endNs = timeNs + LAST_NS;
        flow.heartbeat(0, endNs);
        final Map<List<Object>, Integer> expected = new HashMap<>();
        final Map<List<Object>, Integer> actual = new HashMap<>();
        int line = 0;
        for (long at = 0; at <= endNs; at++)
        {
            expected.clear();
            final long now = at;
            window.definition().at(where(rows, row -> row.timeNs() <= now), at)
                .forEach(row -> expected.merge(row.values(), 1, Integer::sum));
            line = apply(flow.lines, line, at, actual);
            assertThat(actual).as("%s %s at %d: %s", window, what, at, flow.lines).isEqualTo(named(expected));
        }
        assertThat(flow.rejected).isEmpty();
        assertThat(line).isEqualTo(flow.lines.size());
    }

    private static Map<List<Object>, Integer> named(final Map<List<Object>, Integer> bag)
    {
        final Map<List<Object>, Integer> texts = new HashMap<>();
        bag.forEach((row, count) -> texts.put(List.of(row.toString()), count));
        return texts;
    }

    /** Applies the lines of an instant; gives the number of the next line. */
    private static int apply(
        final List<String> lines, final int from, final long at, final Map<List<Object>, Integer> bag)
    {
        int line = from;
        while (line < lines.size() && lines.get(line).startsWith(at + " "))
        {
            final String[] parts = lines.get(line).split(" ", 3);
            bag.merge(List.of(parts[2]), parts[1].equals("+") ? 1 : -1, Integer::sum);
            line++;
        }
        bag.values().removeIf(count -> Objects.equals(count, 0));
        return line;
    }

    @Test
    void shouldKeepRowsByTheirColumnWhenTheWindowRangesOverValues()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false, FlowHarness.TYPE,
            in -> new ValueWindow(in.get(0), 1, 10));
        flow.row(0, 1, EventBatch.INSERT, 1, 100, 0.0, "a");
        flow.row(0, 2, EventBatch.INSERT, 2, 109, 0.0, "a");
        flow.row(0, 3, EventBatch.INSERT, 3, 110, 0.0, "a");
        flow.row(0, 4, EventBatch.INSERT, 4, 105, 0.0, "a");
        flow.row(0, 5, EventBatch.INSERT, 5, null, 0.0, "a");
        assertThat(flow.lines).containsExactly("1 + [1, 100, 0.0, a]", "2 + [2, 109, 0.0, a]", "3 - [1, 100, 0.0, a]",
            "3 + [3, 110, 0.0, a]");
        assertThat(flow.rejected).containsExactly(java.util.Map.entry(ValueWindow.OUT_OF_ORDER, 2));
    }

    @Test
    void shouldPassOverIdleTicksWhenTheSlideIsTiny()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, false, FlowHarness.TYPE,
            in -> new SlideWindow(in.get(0), 4, 2));
        flow.row(0, 1, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.heartbeat(0, Long.MAX_VALUE / 2);
        assertThat(flow.lines).containsExactly("2 + [1, 1, 0.0, a]", "6 - [1, 1, 0.0, a]");
        assertThat(flow.statistics()).containsEntry("state", Map.of());
    }

    @Test
    void shouldRejectTheRowWhenTimeGoesBackwards()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, true, FlowHarness.TYPE,
            in -> in.get(0));
        flow.row(0, 5, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.row(0, 4, EventBatch.INSERT, 2, 1, 0.0, "a");
        flow.row(0, 6, EventBatch.INSERT, 3, 1, 0.0, null);
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, a]");
        flow.finish();
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, a]", "6 + [3, 1, 0.0, null]");
        assertThat(flow.rejected).containsExactly(Map.entry(FlowEngine.TIME_GOES_BACKWARDS, 1));
    }
}

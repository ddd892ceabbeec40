package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.FlowRun.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which matches of several partitions are emitted, and when. */
@Timeout(60)
class PatternOrderTest
{
    private static final long MS = 1_000_000L;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String RISES = "select m.sym, m.x, m.n from S match_recognize (partition by sym measures " +
        "A.sym as sym, A.price as x, count(B.*) as n pattern (A B+) define B as B.price > prev(B.price)) as m";

    /**
     * The match of s0 is complete at 2 ms and could continue until 7 ms; that of s1 ends at 4 ms, which 5 ms decides.
     */
    private static final List<Step> UNTIL_S1_IS_DECIDED = List.of(row(1, "s0", 1), row(2, "s0", 2), row(3, "s1", 1),
        row(4, "s1", 2), row(5, "s1", 1), time(6));
    private static final List<Step> UNTIL_S0_IS_DECIDED = List.of(row(7, "s0", 1), time(8));

    private static Step row(final long timeMs, final String symbol, final double price)
    {
        return new Step("S", timeMs * MS, List.of(List.of(symbol, price, 1)), List.of(EventBatch.INSERT));
    }

    private static Step time(final long timeMs)
    {
        return new Step("S", timeMs * MS, List.of(), Collections.emptyList());
    }

    private static List<String> send(final FlowRun run, final EventBatchSink input, final List<Step> steps)
    {
        final EventBatch batch = run.batch("S");
        steps.forEach(step -> FlowRun.deliver(input, run.fill(batch, step, row -> true)));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        return run.wiring().rows("q").stream().map(each -> each.timestampNs() / MS + " " + each.values()).toList();
    }

    private static void check(final FlowRun run, final List<String> first, final List<String> all) throws Exception
    {
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        assertThat(send(run, input, UNTIL_S1_IS_DECIDED)).isEqualTo(first);
        assertThat(send(run, input, UNTIL_S0_IS_DECIDED)).containsExactlyInAnyOrderElementsOf(all);
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldNotHoldMatchBackForOpenAttemptOfAnotherPartitionWhenPartitionOrdered(final int workers) throws Exception
    {
        check(new FlowRun(RISES, "PARTITION_ORDERED", "sym", workers, 1), List.of("4 [s1, 1.0, 1]"),
            List.of("4 [s1, 1.0, 1]", "2 [s0, 1.0, 1]"));
    }

    @Test
    void shouldHoldMatchBackForEarlierOneThatIsUndecidedWhenOrdered() throws Exception
    {
        check(new FlowRun(RISES, null, null, 1, 1), List.of(), List.of("2 [s0, 1.0, 1]", "4 [s1, 1.0, 1]"));
    }

    /** A row that fits several positions, and the storage of the rows of a match. */
    @ParameterizedTest
    @ValueSource(strings = {
        "count(B.*) as n pattern (A (B | C)+) define B as B.price > prev(B.price), C as C.price > prev(C.price)",
        "count(distinct B.price) as n pattern (A B+) define B as B.price > prev(B.price)"})
    void shouldHoldMatchesBackForOtherPartitionsOnlyWhereTheOrderOfTimesCounts(final String end) throws Exception
    {
        final String statement = "select m.sym, m.x, m.n from S match_recognize (partition by sym measures A.sym " +
            "as sym, A.price as x, " + end + ") as m";
        check(new FlowRun(statement, "PARTITION_ORDERED", "sym", 1, 1), List.of("4 [s1, 1.0, 1]"),
            List.of("4 [s1, 1.0, 1]", "2 [s0, 1.0, 1]"));
        check(new FlowRun(statement, null, null, 1, 1), List.of(), List.of("2 [s0, 1.0, 1]", "4 [s1, 1.0, 1]"));
    }

    @Test
    void shouldNotHoldMatchBackBehindProjection() throws Exception
    {
        check(new FlowRun("select v.sym, v.x, v.n from (" + RISES + ") as v", "PARTITION_ORDERED", "sym", 1, 1),
            List.of("4 [s1, 1.0, 1]"), List.of("4 [s1, 1.0, 1]", "2 [s0, 1.0, 1]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORDERED", "PARTITION_ORDERED"})
    void shouldCloseSessionWhenTimeHasPassedWithoutRowOfItsPartition(final String ordering) throws Exception
    {
        final boolean isOrdered = ordering.equals("ORDERED");
        final FlowRun run = new FlowRun("select m.sym, m.n from S match_recognize (partition by sym measures A.sym " +
            "as sym, count(*) as n pattern (A B*) define B as B.element_time - prev(B.element_time) < 3000000) as m",
            isOrdered ? null : ordering, isOrdered ? null : "sym", 1, 1);
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        assertThat(send(run, input, List.of(row(1, "s0", 1), row(2, "s0", 2), row(3, "s1", 1), time(4)))).isEmpty();
        assertThat(send(run, input, List.of(time(5)))).containsExactly("2 [s0, 2]");
        assertThat(send(run, input, List.of(row(7, "s2", 1), time(8)))).containsExactly("2 [s0, 2]", "3 [s1, 1]");
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNotHoldSessionBackForOpenOneOfAnotherPartitionWhenPartitionOrdered(final int workers) throws Exception
    {
        final FlowRun run = new FlowRun("select m.sym, m.n from S match_recognize (partition by sym measures A.sym " +
            "as sym, count(*) as n pattern (A B*) define B as B.q - prev(B.q) < 3) as m", "PARTITION_ORDERED", "sym",
            workers, 1);
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        assertThat(send(run, input, List.of(row(1, "s0", 1), row(2, "s1", 1),
            new Step("S", 3 * MS, List.of(List.of("s1", 1.0, 9)), List.of(EventBatch.INSERT)), time(4))))
            .containsExactly("2 [s1, 1]");
        run.running().stop();
    }

    /** The later attempt of s0 is complete with the first row of the instant, the earlier one with the second. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldOrderMatchesOfOneInstantByTheirFirstRowsWithAllMatches(final int workers) throws Exception
    {
        final boolean isOrdered = workers == 0;
        final FlowRun run = new FlowRun("select m.sym, m.x, m.y from S match_recognize (partition by sym measures " +
            "A.sym as sym, A.q as x, C.q as y all matches pattern (A B* C) define B as B.price < 5, C as C.q = A.q) " +
            "as m", isOrdered ? null : "PARTITION_ORDERED", isOrdered ? null : "sym", Math.max(1, workers), 1);
        run.start();
        assertThat(send(run, run.running().openInput("S"), List.of(
            new Step("S", MS, List.of(List.of("s1", 1.0, 7), List.of("s0", 9.0, 0)),
                Collections.nCopies(2, EventBatch.INSERT)),
            new Step("S", 2 * MS, List.of(List.of("s0", 1.0, 2)), List.of(EventBatch.INSERT)),
            new Step("S", 3 * MS, List.of(List.of("s0", 1.0, 2), List.of("s0", 9.0, 0)),
                Collections.nCopies(2, EventBatch.INSERT)),
            time(4)))).containsExactly("3 [s0, 0, 0]", "3 [s0, 2, 2]");
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
    }

    /** Shapes that need the order of times: operators that read matches by time, and values with several partitions. */
    @ParameterizedTest
    @ValueSource(strings = {
        "IStream(select v.sym, max(v.x) as x, max(v.n) as n from (RISES) as v group by v.sym)",
        "select m.sym, m.x, m.n from S match_recognize (partition by sym, q measures A.sym as sym, A.price as x, " +
            "count(B.*) as n pattern (A B+) define B as B.price > prev(B.price)) as m"})
    void shouldHoldMatchBackWhereTimesAreReadOrValueHasSeveralPartitions(final String statement) throws Exception
    {
        final FlowRun run = new FlowRun(statement.replace("RISES", RISES), "PARTITION_ORDERED", "sym", 1, 1);
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        assertThat(send(run, input, UNTIL_S1_IS_DECIDED)).isEmpty();
        assertThat(send(run, input, UNTIL_S0_IS_DECIDED)).startsWith("2 [s0, 1.0, 1]").contains("4 [s1, 1.0, 1]");
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
    }

    @Test
    void shouldHoldMatchBackWherePartitionExpressionComputesValue() throws Exception
    {
        check(new FlowRun(RISES, "PARTITION_ORDERED", "lower(sym)", 1, 1), List.of(),
            List.of("2 [s0, 1.0, 1]", "4 [s1, 1.0, 1]"));
    }

    /** The first and last price of every W and each of its ends, in the order of the ends. */
    private static List<Object> shapes(final Object symbol, final List<Double> prices)
    {
        final Map<Integer, List<Object>> byEnd = new TreeMap<>();
        for (int start = 0; start < prices.size(); start++)
        {
            int end = start;
            int runs = 0;
            for (int direction = -1; runs < 4 && isRun(prices, end, direction); direction = -direction)
            {
                runs++;
                while (isRun(prices, end, direction))
                {
                    end++;
                    if (runs == 4)
                    {
                        byEnd.computeIfAbsent(end, key -> new ArrayList<>())
                            .add(List.of(symbol, prices.get(start), prices.get(end)));
                    }
                }
            }
        }
        return byEnd.values().stream().flatMap(List::stream).toList();
    }

    private static boolean isRun(final List<Double> prices, final int at, final int direction)
    {
        return at + 1 < prices.size() && Double.compare(prices.get(at + 1), prices.get(at)) == direction;
    }

    /** A source that is slower than the other one has rows with earlier times. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "1, 1", "1, 2", "2, 1", "2, 2"})
    void shouldEmitAllMatchesOfPartitionInOrderOfTheirEndsWhenSourcesShareSystemTime(final int workers,
        final int sources) throws Exception
    {
        final boolean isOrdered = workers == 0;
        final FlowRun run = new FlowRun("select m.sym, m.x, m.y from S match_recognize (partition by sym measures " +
            "A.sym as sym, A.price as x, last(Z.price) as y all matches pattern (A W+ X+ Y+ Z+) define " +
            "W as W.price < prev(W.price), X as X.price > prev(X.price), Y as Y.price < prev(Y.price), " +
            "Z as Z.price > prev(Z.price)) as m", isOrdered ? null : "PARTITION_ORDERED", isOrdered ? null : "sym",
            Math.max(1, workers), sources).withSystemTime();
        final Map<Object, List<Double>> prices = new TreeMap<>();
        final List<Deque<Step>> steps = walks(new Random(7), sources, prices);
        run.start();
        final Random random = new Random(8);
        final List<EventBatchSink> inputs = IntStream.range(0, sources).mapToObj(i -> run.running().openInput("S"))
            .toList();
        while (steps.stream().anyMatch(rest -> !rest.isEmpty()))
        {
            final int source = random.nextInt(sources);
            for (int count = random.nextInt(200); count > 0 && !steps.get(source).isEmpty(); count--)
            {
                FlowRun.deliver(inputs.get(source), run.fill(run.batch("S"), steps.get(source).poll(), row -> true));
            }
        }
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final Map<Object, List<List<Object>>> actual = new TreeMap<>(run.wiring().sequences("q"));
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
        assertThat(actual.keySet()).isEqualTo(prices.keySet());
        prices.forEach((symbol, all) -> assertThat(actual.get(symbol)).as("rows of %s", symbol)
            .isEqualTo(shapes(symbol, all)));
    }

    /** Random walks of ten symbols, each with one source. */
    private static List<Deque<Step>> walks(final Random random, final int sources,
        final Map<Object, List<Double>> prices)
    {
        final List<Deque<Step>> steps = IntStream.range(0, sources).mapToObj(i -> (Deque<Step>)new ArrayDeque<Step>())
            .toList();
        for (int i = 1; i <= 20_000; i++)
        {
            final int number = random.nextInt(10);
            final List<Double> walk = prices.computeIfAbsent("s" + number, key -> new ArrayList<>(List.of(100.0)));
            walk.add(walk.get(walk.size() - 1) + random.nextInt(-1, 2));
            steps.get(number % sources).add(row(i, "s" + number, walk.get(walk.size() - 1)));
        }
        prices.values().forEach(walk -> walk.remove(0));
        return steps;
    }
}

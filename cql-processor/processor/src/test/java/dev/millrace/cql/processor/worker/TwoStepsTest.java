package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.cql.processor.Waiting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flows whose result needs rows of all workers, compared with the same rules on one thread. */
@Tag("slow")
@Timeout(120)
class TwoStepsTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long BEGINNING_MS = Long.MIN_VALUE / 1_000_000;
    private static final String COUNTS =
        "counts as select sym, count(*) as n from S [range 9 milliseconds slide 3 milliseconds] group by sym";

    /**
     * A rule under test.
     *
     * @param expression partition expression
     * @param text       text of the query
     * @param views      views that it reads
     */
    record Rule(String expression, String text, List<String> views)
    {
        @Override
        public String toString()
        {
            return expression + ": " + text + " over " + views;
        }
    }

    private static Rule rule(final String expression, final String text, final String... views)
    {
        return new Rule(expression, text, List.of(views));
    }

    static Stream<Rule> rules()
    {
        return Stream.of(
            rule("sym", "select n, count(*) as x from counts group by n", COUNTS),
            rule("sym", "select max(n) as x from counts", COUNTS),
            rule("c.sym", "IStream(select c.sym, c.n from counts as c, most as m where c.n = m.x)", COUNTS,
                "most as select max(n) as x from counts"),
            rule("c.sym", "select c.sym, c.n from most as m, counts as c where m.x <= c.n", COUNTS,
                "most as select max(n) as x from counts"),
            rule("c.sym", "IStream(select c.sym, c.n from most as m, counts as c where c.n < m.x)", COUNTS,
                "most as select max(n) as x from counts"),
            rule("a.sym", "IStream(select a.sym, a.price, a.q from S [range 8 milliseconds slide 4 milliseconds] as " +
                "a, most as m where a.q = m.x)",
                "most as select max(q) as x from S [range 8 milliseconds slide 4 milliseconds]"),
            rule("a.sym", "select a.sym, a.q from S [range 5 milliseconds] as a, least as m where a.q = m.x",
                "least as select min(q) as x from S [range 5 milliseconds]"),
            rule("id", "select b, avg(final) as p, count(*) as n from winning group by b",
                "winning as select S.sym as id, T.b as b, max(S.q) as final from S, T where S.sym = T.sym " +
                "group by S.sym, T.b"),
            rule("sym", "select count(*) as n, sum(q) as s, min(q) as a, max(price) as b, avg(q) as m from " +
                "S [range 10 milliseconds slide 2 milliseconds]"),
            rule("sym", "IStream(select count(*) as n, sum(q) as s, avg(q) as m from S [range 4 milliseconds])"),
            rule("sym", "select q, count(distinct sym) as n, max(sym) as x from S [range 6 milliseconds] group by q"),
            rule("sym", "select q, count(*) as n from S group by q having count(*) > 5"),
            rule("sym", "DStream(select distinct n from counts)", COUNTS),
            rule("sym", "RStream(select max(n) as x from counts)", COUNTS),
            rule("sym", "select max(n) as x from counts evaluate every 5 milliseconds", COUNTS),
            rule("sym", "select a.n, b.n from counts as a, others as b where a.n = b.n", COUNTS,
                "others as select sym, count(*) as n from S [range 5 milliseconds] group by sym"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldGiveTheRowsOfEachInstantThatOneThreadGives(final Rule rule) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed + " rule=" + rule);
        for (int round = 0; round < 3; round++)
        {
            final List<Step> steps = FlowRun.steps(new Random(seed + round), 400, 6);
            final List<TestWiring.Row> ordered =
                new FlowRun(rule.text(), null, null, 1, 1).withViews(rule.views()).run(steps);
            assertThat(ordered).as("rows of %s", rule).isNotEmpty();
            for (int workers = 1; workers <= 4; workers++)
            {
                for (int sources = 1; sources <= 2; sources++)
                {
                    final List<TestWiring.Row> merged = new FlowRun(
                        rule.text(), "PARTITION_ORDERED", rule.expression(), workers, sources)
                        .withViews(rule.views()).run(steps);
                    assertThat(instants(merged)).as("seed=%d round=%d workers=%d sources=%d rule=%s", seed, round,
                        workers, sources, rule).isEqualTo(instants(ordered));
                    assertThat(merged.stream().map(TestWiring.Row::timestampNs).toList()).isSorted();
                }
            }
        }
    }

    /** Rows with their counts, instant by instant. */
    private static List<Map<TestWiring.Row, Integer>> instants(final List<TestWiring.Row> rows)
    {
        final List<Map<TestWiring.Row, Integer>> instants = new ArrayList<>();
        long timeNs = 0;
        for (final TestWiring.Row row : rows)
        {
            if (instants.isEmpty() || row.timestampNs() != timeNs)
            {
                instants.add(new HashMap<>());
                timeNs = row.timestampNs();
            }
            instants.get(instants.size() - 1).merge(row, 1, Integer::sum);
        }
        return instants;
    }

    @Test
    void shouldRunBothStepsOnTheWorkers() throws Exception
    {
        final FlowRun run = counts(3);
        final List<TestWiring.Row> rows = run.run(FlowRun.steps(new Random(3), 300, 6));
        assertThat(run.wiring().startedThreads()).hasSize(3);
        assertThat((List<?>)run.running().statistics().get("flows")).hasSize(4);
        assertThat(run.running().statistics().get("queries").toString())
            .contains("rowsOut=" + rows.size()).doesNotContain("part");
    }

    private static FlowRun counts(final int workers)
    {
        return new FlowRun("IStream(select max(n) as x, count(*) as c from counts)", "PARTITION_ORDERED", "sym",
            workers, 1).withViews(List.of(COUNTS));
    }

    private static List<TestWiring.Row> ordered(final List<Step> steps) throws Exception
    {
        return new FlowRun("IStream(select max(n) as x, count(*) as c from counts)", null, null, 1, 1)
            .withViews(List.of(COUNTS)).run(steps);
    }

    private static Step step(final long timeMs, final String... symbols)
    {
        return new Step("S", timeMs * 1_000_000, Stream.of(symbols).map(symbol -> List.<Object>of(symbol, 1.0, 1))
            .toList(), Collections.nCopies(symbols.length, EventBatch.INSERT));
    }

    @Test
    void shouldNotWaitForWorkersThatGetNoRows() throws Exception
    {
        final FlowRun run = counts(4);
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        final EventBatch batch = run.batch("S");
        for (int ms = 1; ms <= 30; ms++)
        {
            FlowRun.deliver(input, run.fill(batch, step(ms, "s1"), row -> true));
        }
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(run.wiring().rows("q").stream().map(row -> Arrays.asList(row.timestampNs() / 1_000_000,
            row.values().get(0), row.values().get(1))).toList()).isEqualTo(List.of(
                Arrays.asList(BEGINNING_MS, null, 0L), List.of(3L, 3L, 1L), List.of(6L, 6L, 1L), List.of(9L, 9L, 1L)));
        run.running().stop();
    }

    @Test
    void shouldLetTimePassByHeartbeatsAlone() throws Exception
    {
        final FlowRun run = counts(3);
        run.start();
        final EventBatchSink input = run.running().openInput("S");
        final EventBatch batch = run.batch("S");
        FlowRun.deliver(input, run.fill(batch, step(1, "s1", "s2", "s3"), row -> true));
        FlowRun.deliver(input, run.fill(batch, step(5), row -> true));
        FlowRun.deliver(input, run.fill(batch, step(40), row -> true));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(run.wiring().rows("q").stream().map(row -> Arrays.asList(row.timestampNs() / 1_000_000,
            row.values().get(0), row.values().get(1))).toList()).isEqualTo(List.of(
                Arrays.asList(BEGINNING_MS, null, 0L), List.of(3L, 1L, 3L), Arrays.asList(12L, null, 0L)));
        run.running().stop();
    }

    @Test
    void shouldRejectLateRowsAndGoOn() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(13), 300, 6);
        final FlowRun run = counts(3);
        run.start();
        run.send(steps);
        final EventBatchSink input = run.running().openInput("S");
        FlowRun.deliver(input, run.fill(run.batch("S"), step(2, "s0", "s1", "s2", "s3"), row -> true));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        run.running().stop();
        assertThat(run.wiring().rejected("time-goes-backwards")).isEqualTo(4);
        assertThat(instants(run.wiring().rows("q"))).isEqualTo(instants(ordered(steps)));
    }

    @Test
    void shouldGoOnWhenItsSinkFailsOnce() throws Exception
    {
        final FlowRun run = counts(3);
        run.start();
        final boolean[] failed = new boolean[1];
        run.wiring().beforeCollect(batch ->
        {
            if (!failed[0] && batch.size() > 0)
            {
                failed[0] = true;
                throw new IllegalArgumentException("first batch fails");
            }
        });
        run.send(FlowRun.steps(new Random(9), 300, 6));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(run.wiring().rows("q")).isNotEmpty();
        final List<?> flows = (List<?>)run.running().statistics().get("flows");
        assertThat(flows.stream().map(flow -> ((Map<?, ?>)flow).get("condition").toString()).toList())
            .containsOnlyOnce("degraded");
        run.running().stop();
    }

    /** The first step fails at a late row: the network that should record its rejection fails. */
    private static void failAtLateRows(final FlowRun run)
    {
        run.wiring().beforeReject(reason ->
        {
            if (reason.equals("time-goes-backwards"))
            {
                throw new IllegalStateException("late rows cannot be noted");
            }
        });
    }

    private static FlowRun greatest(final int workers)
    {
        return new FlowRun("IStream(select max(sym) as x, count(*) as n from S [range 4 milliseconds slide 1 " +
            "milliseconds])", "PARTITION_ORDERED", "q", workers, 1);
    }

    private static Step row(final long timeMs, final String symbol, final int q)
    {
        return new Step("S", timeMs * 1_000_000, List.of(List.of(symbol, 1.0, q)), List.of(EventBatch.INSERT));
    }

    private static int ownerOf(final int q)
    {
        return new WorkerRoutingTable(2).worker(WorkerRoutingTable.slot(q));
    }

    private static void deliver(final FlowRun run, final EventBatchSink input, final Step... steps)
    {
        for (final Step step : steps)
        {
            FlowRun.deliver(input, run.fill(run.batch("S"), step, any -> true));
        }
    }

    private static List<List<Object>> shown(final FlowRun run)
    {
        return run.wiring().rows("q").stream().map(row -> Stream.concat(
            Stream.of((Object)(row.timestampNs() / 1_000_000)), row.values().stream()).toList()).toList();
    }

    @Test
    void shouldGoOnWhenTheFirstStepFailsOnce() throws Exception
    {
        for (int q = 0; q < 4; q++)
        {
            final FlowRun run = greatest(2);
            run.start();
            failAtLateRows(run);
            final EventBatchSink input = run.running().openInput("S");
            deliver(run, input, row(1, "s1", 1), row(1, "s2", 2), row(1, "s3", 3),
                new Step("S", 2_000_000, List.of(), List.of()));
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            deliver(run, input, row(1, "s0", q), new Step("S", 3_000_000, List.of(), List.of()));
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            deliver(run, input, row(10, "s1", 1), row(10, "s2", 2), row(10, "s3", 3),
                new Step("S", 12_000_000, List.of(), List.of()));
            assertThat(run.running().drain(DRAIN_NS)).isTrue();
            assertThat(shown(run)).as("q=%d", q).contains(List.of(1L, "s3", 3L), List.of(10L, "s3", 3L));
            assertThat(run.running().statistics().get("flows").toString()).as("q=%d", q).containsOnlyOnce("degraded");
            run.running().stop();
        }
    }

    @Test
    void shouldGoOnWithTheRowsOfOtherWorkersWhenOneHasEnded() throws Exception
    {
        final int lost = ownerOf(1) == 0 ? 1 : 2;
        final int kept = lost == 1 ? 2 : 1;
        assertThat(List.of(ownerOf(lost), ownerOf(kept))).as("the second step runs on the last worker")
            .isEqualTo(List.of(0, 1));
        final FlowRun run = greatest(2);
        run.start();
        run.wiring().beforeReject(reason ->
        {
            if (!reason.equals("processor-stopped"))
            {
                throw new AssertionError("the network fails at rejections of any step");
            }
        });
        final EventBatchSink input = run.running().openInput("S");
        deliver(run, input, row(1, "s1", lost), row(1, "s2", kept), new Step("S", 2_000_000, List.of(), List.of()));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        deliver(run, input, row(1, "s0", lost), new Step("S", 3_000_000, List.of(), List.of()));
        Waiting.until("worker ends", () -> run.running().statistics().get("workers").toString().contains("ended by"));
        deliver(run, input, row(10, "s1", lost), row(10, "s2", kept), new Step("S", 12_000_000, List.of(), List.of()));
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        assertThat(shown(run)).contains(List.of(1L, "s2", 2L));
        assertThat(run.wiring().rows("q")).extracting(each -> each.timestampNs() / 1_000_000).contains(10L);
        assertThat(run.wiring().rejected("processor-stopped")).isEqualTo(1);
        run.running().stop();
    }

    @Test
    void shouldFinishBothStepsBeforeItStops() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(5), 3_000, 40);
        for (int round = 0; round < 5; round++)
        {
            final FlowRun run = counts(3);
            final CountDownLatch gate = new CountDownLatch(1);
            run.start();
            run.wiring().beforeCollect(batch -> await(gate));
            run.send(steps.subList(0, 300));
            gate.countDown();
            run.running().stop();
            assertThat(run.wiring().rejected()).isZero();
            assertThat(instants(run.wiring().rows("q"))).isEqualTo(instants(ordered(steps.subList(0, 300))));
        }
    }

    @Test
    void shouldHoldTheSourceBackWhenItsSinkIsSlow() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(7), 30_000, 40);
        final FlowRun run = counts(2);
        final CountDownLatch gate = new CountDownLatch(1);
        run.start();
        run.wiring().beforeCollect(batch -> await(gate));
        final Thread sender = new Thread(() -> run.send(steps));
        sender.start();
        Waiting.until("source waits",
            () -> run.running().statistics().get("rings").toString().matches(".*sourceWaits=[1-9].*"));
        assertThat(sender.isAlive()).isTrue();
        assertThat(run.running().drain(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
        gate.countDown();
        sender.join();
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
        assertThat(instants(run.wiring().rows("q"))).isEqualTo(instants(ordered(steps)));
    }

    private static void await(final CountDownLatch gate)
    {
        try
        {
            gate.await();
        }
        catch (final InterruptedException interrupted)
        {
            throw new IllegalStateException(interrupted);
        }
    }
}

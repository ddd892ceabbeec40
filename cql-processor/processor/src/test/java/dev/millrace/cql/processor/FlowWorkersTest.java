package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.FlowRun.Step;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows on several workers, compared with the same rules in order on one thread. */
@Tag("slow")
@Timeout(120)
class FlowWorkersTest
{
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String SUM = "select sym, sum(q) as s from S group by sym";

    /** Statements whose first column is the partition value, and their partition expressions. */
    static Stream<List<String>> statements()
    {
        return Stream.of(
            List.of("sym", SUM),
            List.of("sym", "select sym, sum(q) as s, count(*) as n, max(price) as m from S[range 7 milliseconds] " +
                "group by sym"),
            List.of("sym", "select sym, avg(price) as a from S[range 9 milliseconds slide 4 milliseconds] " +
                "group by sym having count(*) > 1"),
            List.of("upper(sym)", "select sym, q, count(*) as n from S[range 9 milliseconds] group by sym, q"),
            List.of("q", "select q, sym, price from S[partition by q rows 2]"),
            List.of("sym", "IStream(select sym, q from S[partition by sym rows 3 range 6 milliseconds])"),
            List.of("sym", "DStream(select sym, price from S[range 5 milliseconds])"),
            List.of("sym", "select distinct sym, q from S[range 5 milliseconds]"),
            List.of("sym", "select sym, price, q from S[range 8 milliseconds] order by price desc rows 2 " +
                "partition by sym"),
            List.of("sym", "select sym, count(*) as n from S[range 8 milliseconds] group by sym " +
                "evaluate every 3 milliseconds"),
            List.of("sym", "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, " +
                "A.price as x, B.price as y pattern (A B) define B as B.price > A.price) as m"),
            List.of("sym", "select m.sym, m.x, m.n from S match_recognize (partition by sym measures A.sym as sym, " +
                "last(U.price) as x, count(*) as n pattern (A D+ U+ D2+ U2+) define D as D.price < prev(D.price), " +
                "U as U.price > prev(U.price), D2 as D2.price < prev(D2.price), U2 as U2.price > prev(U2.price)) as m"),
            List.of("sym", "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, " +
                "A.q as x, C.q as y all matches pattern (A B* C) define B as B.price < 5, C as C.q = A.q) as m"),
            List.of("sym", "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, " +
                "A.q as x, C.q as y pattern (A B* C) within 6 milliseconds define C as C.q > A.q) as m"),
            List.of("sym", "select m.sym, m.x, m.n from S match_recognize (partition by sym measures A.sym as sym, " +
                "A.q as x, count(B.*) as n include timer events pattern (A B*) duration 5 milliseconds " +
                "define A as A.price > 4, B as B.price < 9) as m"),
            List.of("sym", "select S.sym, S.q, T.rate from S[range 4 milliseconds], T[range 6 milliseconds] " +
                "where S.sym = T.sym"),
            List.of("S.q", "select S.q, S.sym, R.name from S[range 4 milliseconds], R where S.sym = R.sym"),
            List.of("sym", "select S.sym, S.q, R.name from S[range 4 milliseconds] left outer join R " +
                "on S.sym = R.sym"),
            List.of("S.sym", "RStream(select S.sym, S.q, C.name from S[now], C where S.sym = C.sym)"),
            List.of("S.sym", "RStream(select S.sym, S.q, T.rate from S[now], T[range 5 milliseconds] " +
                "where S.q = T.b)"),
            List.of("sym", "select sym, price from S union all select sym, rate from T"),
            List.of("sym", "select sym, q from S[range 6 milliseconds] except select sym, b from T[range 9 " +
                "milliseconds]"));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void shouldGiveTheRowsOfTheOrderedRunOnEveryNumberOfWorkers(final List<String> rule) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed + " rule=" + rule);
        for (int round = 0; round < 3; round++)
        {
            final List<Step> steps = FlowRun.calmed(FlowRun.steps(new Random(seed + round), 400, 6), 6);
            final List<TestWiring.Row> ordered = new FlowRun(rule.get(1), null, null, 1, 1).run(steps);
            for (int workers = 1; workers <= 3; workers++)
            {
                for (int sources = 1; sources <= 2; sources++)
                {
                    final List<TestWiring.Row> split =
                        new FlowRun(rule.get(1), "PARTITION_ORDERED", rule.get(0), workers, sources).run(steps);
                    assertThat(partitions(split)).as("seed=%d round=%d workers=%d sources=%d rule=%s", seed, round,
                        workers, sources, rule).isEqualTo(partitions(ordered));
                }
            }
        }
    }

    private static Map<Object, List<TestWiring.Row>> partitions(final List<TestWiring.Row> rows)
    {
        final Map<Object, List<TestWiring.Row>> found = new LinkedHashMap<>();
        rows.forEach(row -> found.computeIfAbsent(row.values().get(0), key -> new ArrayList<>()).add(row));
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveTheSameRowsUnordered(final int workers) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final List<Step> steps = FlowRun.steps(new Random(seed), 2_000, 6);
        final String text = "RStream(select S.sym, S.q, C.name from S[now], C where S.sym = C.sym)";
        assertThat(new FlowRun(text, "UNORDERED", null, workers, 1).run(steps))
            .containsExactlyInAnyOrderElementsOf(new FlowRun(text, null, null, 1, 1).run(steps));
    }

    @ParameterizedTest
    @CsvSource({"1,1,0", "1,2,0", "2,1,2", "3,2,3"})
    void shouldRunOnTheThreadsOfTheSourcesWhereNothingIsSpread(
        final int workers, final int sources, final int threads) throws Exception
    {
        final FlowRun run = new FlowRun(SUM, "PARTITION_ORDERED", "sym", workers, sources);
        run.start();
        assertThat(run.wiring().startedThreads()).hasSize(threads);
        run.running().stop();
    }

    @Test
    void shouldSumTheFiguresOfWorkersByQuery() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(3), 500, 6);
        final FlowRun run = new FlowRun("select S.sym, S.q, R.name from S[range 4 milliseconds], R where S.sym = R.sym",
            "PARTITION_ORDERED", "S.sym", 3, 1);
        final List<TestWiring.Row> rows = run.run(steps);
        final long in = steps.stream().filter(step -> !step.channel().equals("T")).mapToLong(
            step -> step.rows().size()).sum();
        assertThat(run.running().statistics().get("queries").toString())
            .isEqualTo("{q={rowsIn=" + in + ", rowsOut=" + rows.size() + "}}");
        assertThat((List<?>)run.running().statistics().get("flows")).hasSize(3);
    }

    @Test
    void shouldRunWhatIsInTheRingsBeforeItStops() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(5), 1_000, 40);
        final FlowRun run = new FlowRun(SUM, "PARTITION_ORDERED", "sym", 2, 1);
        final CountDownLatch gate = new CountDownLatch(1);
        run.start();
        run.wiring().beforeCollect(batch -> await(gate));
        run.send(steps);
        gate.countDown();
        run.running().stop();
        assertThat(run.wiring().rejected()).isZero();
        assertThat(run.running().statistics().get("queries").toString()).contains("rowsIn=" +
            steps.stream().filter(step -> step.channel().equals("S")).mapToLong(step -> step.rows().size()).sum());
    }

    @Test
    void shouldHoldTheSourceBackWhenASinkIsSlow() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(7), 30_000, 40);
        final FlowRun run = new FlowRun(SUM, "PARTITION_ORDERED", "sym", 2, 1);
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
        assertThat(partitions(run.wiring().rows("q")))
            .isEqualTo(partitions(new FlowRun(SUM, null, null, 1, 1).run(steps)));
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

    @Test
    void shouldGoOnWithOtherPartitionsWhenAWorkersSinkFails() throws Exception
    {
        final List<Step> steps = FlowRun.steps(new Random(9), 500, 6);
        final FlowRun run = new FlowRun(SUM, "PARTITION_ORDERED", "sym", 2, 1);
        run.start();
        final boolean[] failed = new boolean[1];
        run.wiring().beforeCollect(batch ->
        {
            synchronized (failed)
            {
                if (!failed[0] && batch.size() > 0)
                {
                    failed[0] = true;
                    throw new IllegalArgumentException("first batch fails");
                }
            }
        });
        run.send(steps);
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        final List<?> flows = (List<?>)run.running().statistics().get("flows");
        assertThat(flows.stream().<Object>map(flow -> ((Map<?, ?>)flow).get("condition")).toList())
            .containsExactlyInAnyOrder("ok", "degraded");
        assertThat(run.wiring().rows("q")).isNotEmpty();
        run.running().stop();
    }

    @Test
    void shouldRejectRowsThatComeAfterTheStop() throws Exception
    {
        final FlowRun run = new FlowRun(SUM, "PARTITION_ORDERED", "sym", 2, 1);
        run.start();
        run.running().stop();
        final List<Step> steps = FlowRun.steps(new Random(11), 50, 6);
        run.send(steps);
        assertThat(run.wiring().rejected("processor-stopped")).isEqualTo(
            steps.stream().filter(step -> step.channel().equals("S")).mapToLong(step -> step.rows().size()).sum());
    }

    @Test
    void shouldKeepEachPartitionInOrderWithTwoThreadsOnOneChannel() throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final List<Step> steps = FlowRun.steps(new Random(seed), 4_000, 12);
        final FlowRun run = new FlowRun("select m.sym, m.x, m.y from S match_recognize (partition by sym measures " +
            "A.sym as sym, A.price as x, B.price as y after match skip to next row pattern (A B) " +
            "define A as A.q >= 0) as m", "PARTITION_ORDERED", "sym", 3, 2).withSystemTime();
        run.start();
        final List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < 2; i++)
        {
            final int own = i;
            final RunningProcessor running = run.running();
            final EventBatchSink input = running.openInput("S");
            final EventBatch batch = run.batch("S");
            senders.add(new Thread(() -> steps.stream().filter(step -> step.channel().equals("S"))
                .forEach(step -> FlowRun.deliver(input, run.fill(batch, step,
                    row -> row.get(0) != null && Integer.parseInt(row.get(0).toString().substring(1)) % 2 == own)))));
        }
        senders.forEach(Thread::start);
        for (final Thread sender : senders)
        {
            sender.join();
        }
        assertThat(run.running().drain(DRAIN_NS)).isTrue();
        run.running().stop();
        assertThat(run.wiring().sequences("q")).isEqualTo(pairs(steps));
    }

    /** Each price of a symbol with the next one. */
    private static Map<Object, List<List<Object>>> pairs(final List<Step> steps)
    {
        final Map<Object, Object> last = new HashMap<>();
        final Map<Object, List<List<Object>>> pairs = new LinkedHashMap<>();
        for (final Step step : steps)
        {
            for (final List<Object> row : step.channel().equals("S") ? step.rows() : List.<List<Object>>of())
            {
                final Object before = row.get(0) == null ? null : last.put(row.get(0), row.get(1));
                if (before != null)
                {
                    pairs.computeIfAbsent(row.get(0), key -> new ArrayList<>())
                        .add(List.of(row.get(0), before, row.get(1)));
                }
            }
        }
        return pairs;
    }
}

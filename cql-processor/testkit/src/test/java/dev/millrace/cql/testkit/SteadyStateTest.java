package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pipelines, and flows over numbers, reuse their memory: once windows are full, an event allocates nothing. Measured in
 * bytes, which do not depend on the speed of the machine. The functions called here allocate nothing themselves: a
 * function that needs a helper object in its library allocates until the JVM has compiled it with escape analysis.
 */
@Tag("slow")
@Timeout(120)
class SteadyStateTest
{
    private static final EventProperty[] COLUMNS = {new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("x", CqlType.DOUBLE)};
    private static final EventType LEFT = EventType.tuple("S", COLUMNS);
    private static final EventType RIGHT = EventType.tuple("R", COLUMNS);
    private static final int KEYS = 100;
    private static final int ROWS = 64;
    private static final int BATCHES = 600;
    private static final int ATTEMPTS = 10;
    /** The smallest object has 16 bytes: less than one in 160 events, for the remaining growth of tables. */
    private static final double BYTES_AN_EVENT = 0.1;
    private static final long MILLISECOND = 1_000_000L;

    private final Random random = new Random(1);
    private long timeNs;
    private long rowsOut;

    private static Catalog catalog()
    {
        return Catalog.builder().add(new Catalog.ChannelSource("S", LEFT, false, false, List.of()))
            .add(new Catalog.ChannelSource("R", RIGHT, false, false, List.of())).build();
    }

    private static void reject(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException(reason + ": " + detail);
    }

    private Pipeline pipeline(final String text) throws Exception
    {
        // System times never repeat: partitioned patterns are pipelines only over such times.
        final ProcessorPlan plan = new RulePlanner().plan("p", List.of(RuleText.query("q", text)),
            Catalog.builder().stream("S", LEFT).build());
        assertThat(plan.flows()).as("flows of %s", text).isEmpty();
        final PipelinePlan only = plan.pipelines().get(0);
        return new PipelineCompiler().compile(only).instantiate(new PipelineBindings(new BatchSchema(LEFT),
            Map.of("q", new BatchSchema(only.outputs().get(0).type())), Map.of("q", batch -> rowsOut += batch.size()),
            Map.of(), SteadyStateTest::reject));
    }

    private FlowEngine engine(final String text) throws Exception
    {
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", List.of(RuleText.query("q", text)), catalog())
            .flows().get(0);
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        plan.outputs().forEach(output -> {
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            sinks.put(output.queryId(), batch -> rowsOut += batch.size());
        });
        return new FlowCompiler().compile(plan).instantiate(new FlowBindings(schemas, sinks, Map.of(), Map.of(),
            SteadyStateTest::reject, 1 << 20));
    }

    private void feed(final FlowEngine engine, final EventBatch left, final EventBatch right)
    {
        for (int i = 0; i < BATCHES; i++)
        {
            fill(left);
            engine.onBatch(engine.source("S"), left);
            if (engine.source("R") >= 0)
            {
                fill(right);
                engine.onBatch(engine.source("R"), right);
            }
            timeNs += ROWS * MILLISECOND;
        }
    }

    private void fill(final EventBatch batch)
    {
        batch.clear();
        for (int i = 0; i < ROWS; i++)
        {
            batch.ints(0)[i] = random.nextInt(KEYS);
            batch.ints(1)[i] = random.nextInt(50);
            batch.doubles(2)[i] = random.nextInt(1_000) / 8.0;
            batch.useTimestampPerRow()[i] = timeNs + i * MILLISECOND;
        }
        batch.size(ROWS);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "select k, v * 2 as w from S where x > 30",
        "select k, instr('abcabc', 'b', v + 1, 1) as n, abs(v) as a, atan2(x, v + 1) as b from S "
            + "where instr('abc', 'c', v + 1) >= 0",
        "select k, sum(v) as s, avg(x) as a, count(*) as n from S [range 3] group by k",
        "select k, min(v) as l, max(x) as h from S [range 3] group by k",
        "select k, sum(x) as s from S [range 2 slide 0.5] group by k",
        "select k, count(*) filter (where v > 10) as n, count(distinct v) as d, count(distinct v) filter "
            + "(where x > 30) as e, sum(x) filter (where v > 3) as s from S [range 2] group by k",
        "select k, count(*) as n, min(v) as l, max(x) as h, avg(x) as a from S [range 2 slide 0.5] group by k",
        "IStream(select S.k, S.v, R.v as w from S [range 0.2] as S, R [range 0.2] as R where S.x between R.x - 1 and "
            + "R.x + 1)",
        "select k, v from S [partition by k rows 10]",
        "select k, sum(x) as s from S [rows 1000] group by k",
        "select distinct k, v from S [range 2]",
        "IStream(select k, v from S [range 1])",
        "RStream(select S.k, S.v, R.v as w from S [now] as S, R [partition by k rows 1] as R where S.k = R.k)",
        "select S.k, S.v, R.v as w from S [range 0.5] as S, R [range 0.5] as R where S.k = R.k",
        "select S.k, S.v, R.v as w from S [range 0.5] as S left outer join R [range 0.5] as R on S.k = R.k",
        "select S.k, max(R.v) as m, min(R.x) as l from S [range 0.5] as S, R [range 1] as R where S.k = R.k "
            + "group by S.k",
        "select k, v, x from S [range 2] order by x desc rows 5 partition by k",
        "(select k from S [range 1]) union (select k from R [range 2])",
        "select M.a, M.b from S match_recognize (partition by k measures A.x as a, B.x as b all matches "
            + "pattern (A B) define B as B.x > A.x) as M",
        "select M.a, M.n from S match_recognize (partition by k measures A.x as a, count(B.*) as n "
            + "pattern (A B+ C) within 3 define B as B.x > prev(B.x), C as C.v < 10) as M"})
    void shouldAllocateNothingAnEventOnceWindowsAreFull(final String text) throws Exception
    {
        final FlowEngine engine = engine(text);
        final EventBatch left = new EventBatch(new BatchSchema(LEFT));
        final EventBatch right = new EventBatch(new BatchSchema(RIGHT));
        final double least = leastBytes(() -> feed(engine, left, right));
        assertThat(least).as("bytes an event, %s", text).isLessThan(BYTES_AN_EVENT);
        assertThat(rowsOut).as("rows of %s", text).isPositive();
    }

    /** Tables still grow occasionally to their final size, so that the best of several rounds counts. */
    private static double leastBytes(final Runnable round)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        round.run();
        double least = Double.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && least >= BYTES_AN_EVENT; i++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            round.run();
            least = Math.min(least,
                (threads.getCurrentThreadAllocatedBytes() - before) / (double)(BATCHES * ROWS));
        }
        return least;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "select k, v * 2 as w from S where x > 30",
        "select k, v + k * 3 as w from S where v between 3 and 40 or k in (1, 2, 3)",
        "select k, sum(v) as s, avg(x) as a, count(*) as n from S group by k",
        "select k, min(v) as l, max(x) as h from S group by k having count(*) > 2",
        "select M.a, M.b from S match_recognize (partition by k measures A.x as a, B.x as b "
            + "pattern (A B) define B as B.x > A.x) as M",
        "select M.a, M.b from S match_recognize (partition by k measures A.x as a, C.x as b all matches "
            + "pattern (A B C) define B as B.x > prev(B.x), C as C.x > prev(C.x, 2)) as M"})
    void shouldAllocateNothingAnEventInPipelines(final String text) throws Exception
    {
        final Pipeline pipeline = pipeline(text);
        final EventBatch batch = new EventBatch(new BatchSchema(LEFT));
        final double least = leastBytes(() ->
        {
            for (int i = 0; i < BATCHES; i++)
            {
                fill(batch);
                pipeline.onBatch(batch);
                timeNs += ROWS * MILLISECOND;
            }
        });
        assertThat(least).as("bytes an event, %s", text).isLessThan(BYTES_AN_EVENT);
        assertThat(rowsOut).as("rows of %s", text).isPositive();
    }
}

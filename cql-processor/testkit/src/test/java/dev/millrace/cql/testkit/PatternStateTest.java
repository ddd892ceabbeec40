package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * State per partition of a two-row pattern, for every way to run such a pattern: bytes that are still reachable when
 * 250,000 partitions wait for their second row, with tables as full as those of a million.
 */
@Order(1)
@Tag("slow")
@Timeout(120)
class PatternStateTest
{
    private static final long TOLERANCE_BYTES = 100_000;
    private static final int PARTITIONS = 250_000;
    private static final String PAIR = "select M.p as p from S match_recognize (partition by %s measures B.price as p "
        + "pattern (A B) %s define B as %s) as M";
    private static final EventType TICK = EventType.tuple("S", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("id", CqlType.INT), new EventProperty("price", CqlType.DOUBLE),
        new EventProperty("volume", CqlType.INT));

    private EventBatchSink input;
    /** Keeps the measured objects reachable. */
    private Object engine;
    private EventBatch batch;
    private long rowsOut;

    private void start(final boolean flow, final String text) throws Exception
    {
        final Catalog catalog = Catalog.builder().add(new Catalog.ChannelSource("S", TICK, false,
            FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of())).build();
        final RulePlanner planner = flow ? new RulePlanner().flowsOnly() : new RulePlanner();
        final ProcessorPlan plan = planner.plan("p", List.of(RuleText.query("q", text)), catalog);
        batch = new EventBatch(new BatchSchema(TICK));
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, EventBatchSink> sinks = Map.of("q", rows -> rowsOut += rows.size());
        if (flow)
        {
            final FlowPlan only = plan.flows().get(0);
            schemas.put("q", new BatchSchema(only.outputs().get(0).type()));
            final FlowEngine made = new FlowCompiler().compile(only).instantiate(new FlowBindings(schemas, sinks,
                Map.of(), Map.of(), PatternStateTest::reject, FlowBindings.DEFAULT_MAX_ROWS));
            engine = made;
            input = rows -> made.onBatch(0, rows);
            return;
        }
        assertThat(plan.flows()).isEmpty();
        schemas.put("q", new BatchSchema(plan.pipelines().get(0).outputs().get(0).type()));
        final Pipeline made = new PipelineCompiler().compile(plan.pipelines().get(0)).instantiate(
            new PipelineBindings(batch.schema(), schemas, sinks, Map.of(), PatternStateTest::reject));
        engine = made;
        input = made::onBatch;
    }

    private static void reject(final int rows, final String reason, final String detail)
    {
        throw new AssertionError(reason + ": " + detail);
    }

    /** One row per partition. */
    private void send(final long firstNs, final boolean odd) throws EventRejectedException
    {
        for (int from = 0; from < PARTITIONS; from += EventBatch.CAPACITY)
        {
            batch.clear();
            final int size = Math.min(EventBatch.CAPACITY, PARTITIONS - from);
            for (int i = 0; i < size; i++)
            {
                final int partition = from + i;
                batch.texts(0).set(i, "symbol" + partition);
                batch.ints(1)[i] = partition;
                batch.doubles(2)[i] = odd ? partition + partition % 2 : partition;
                batch.ints(3)[i] = 1;
                batch.useTimestampPerRow()[i] = firstNs + partition;
            }
            batch.size(size);
            input.onBatch(batch);
        }
    }

    /** Collects until nothing more is found: earlier tests leave objects that are released after a collection. */
    private static long usedBytes()
    {
        long used = Long.MAX_VALUE;
        long before;
        do
        {
            before = used;
            System.gc();
            used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        }
        while (used < before - TOLERANCE_BYTES);
        return used;
    }

    /**
     * Both forms, by number and by string: at most 64 bytes. A time limit adds a timer and its end; a string key is in
     * a table of the pipeline or the pattern.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "fused|id||B.price > A.price|64",
        "fused|symbol||B.price > A.price|100",
        "flow, fixed|id||B.price > A.price|64",
        "flow, fixed|symbol||B.price > A.price|128",
        "flow, with a timer|id|within 1 hour|B.price > A.price|100",
        "flow, row-local with a timer|id|within 1 hour|B.price > prev(B.price)|100",
        "flow, match-dependent|id||B.price > avg(A.price)|100"})
    void shouldKeepFewBytesAPartition(
        final String way, final String key, final String within, final String condition, final int most)
        throws Exception
    {
        final String text = PAIR.formatted(key, within == null ? "" : within, condition);
        // The first rows replace what earlier tests of this process have left behind.
        start(way.startsWith("flow"), text);
        send(0, false);
        rowsOut = 0;
        start(way.startsWith("flow"), text);
        final long before = usedBytes();
        send(0, false);
        final double bytes = (double)(usedBytes() - before) / PARTITIONS;
        System.out.printf("%s, partition by %s: %.1f bytes a partition%n", way, key, bytes);
        send(PARTITIONS, true);
        assertThat(engine).isNotNull();
        assertThat(rowsOut).as("pairs that rise, %s", text).isEqualTo(PARTITIONS / 2);
        // No lower limit: what earlier tests have left may be released at any time.
        assertThat(bytes).as("bytes a partition, %s %s", way, text).isLessThan(most);
    }
}

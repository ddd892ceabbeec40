package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.emit.PlanNotSupportedException;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.RejectionHandler;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Everything except the rows of a compiled pipeline: memory, classes, string tables, statistics, refusals. */
@Timeout(60)
class PipelineLifeTest
{
    private static final int SYMBOLS = 50;
    private static final EventType COUNTS =
        EventType.tuple("Counts", new EventProperty("total", CqlType.BIGINT));

    private static final String[] NAMES =
        IntStream.range(0, SYMBOLS).mapToObj(i -> "S" + i).toArray(String[]::new);

    private final EventBatch batch = new EventBatch(new BatchSchema(SignalPlans.TICK));
    private long rowsOut;

    private Pipeline instance(final CompiledPipeline compiled)
    {
        final BatchSchema symbol = new BatchSchema(SignalPlans.SYMBOL);
        final LookupRelation relation = new LookupRelation(symbol, 0);
        final EventBatch one = new EventBatch(symbol);
        one.size(1);
        for (int i = 0; i < SYMBOLS; i++)
        {
            one.texts(0).set(0, "S" + i);
            if (i % 2 == 0)
            {
                relation.upsert(one, 0);
            }
        }
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, dev.millrace.api.stage.EventBatchSink> sinks = new HashMap<>();
        for (final Operator.Output output : compiled.plan().outputs())
        {
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            sinks.put(output.queryId(), rows -> rowsOut += rows.size());
        }
        return compiled.instantiate(new PipelineBindings(batch.schema(), schemas, sinks,
            Map.of("symbolsRelation", relation), (rows, reason, detail) -> assertThat(rows).isZero()));
    }

    private void fill(final int round, final int size, final boolean nulls)
    {
        batch.clear();
        for (int i = 0; i < size; i++)
        {
            final int at = round * 31 + i * 7;
            batch.texts(0).set(i, NAMES[at % SYMBOLS]);
            batch.doubles(1)[i] = 100 + at % 13;
            batch.longs(2)[i] = at % 101 - 50;
        }
        if (nulls)
        {
            batch.setNull(1, size / 2);
            batch.setNull(2, size / 3);
        }
        batch.useOrigins();
        batch.baseTimestampNs(round * 1000L);
        batch.size(size);
    }

    @Test
    void shouldAllocateNothingWhenSteady()
    {
        for (final PipelinePlan plan : List.of(SignalPlans.bothPlan(), SignalPlans.sumPlan(40)))
        {
            final Pipeline pipeline = instance(new PipelineCompiler().compile(plan));
            run(pipeline, 2_000);
            final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
            final long before = threads.getCurrentThreadAllocatedBytes();
            run(pipeline, 2_000);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).as("bytes of 2000 batches, plan=%s", plan.name()).isLessThan(2_000);
            assertThat(rowsOut).isPositive();
        }
    }

    private void run(final Pipeline pipeline, final int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            fill(round, 1 + round % 256, round % 3 == 0);
            pipeline.onBatch(batch);
        }
    }

    /** The first batch was not coded while it was written; the writer would have rejected its rows. */
    @Test
    void shouldTurnAwayOnlyTheRowsWhoseTextsFindNoRoom()
    {
        final BatchSchema schema = new BatchSchema(SignalPlans.TICK);
        final PipelinePlan plan = SignalPlans.sumPlan(0);
        final List<String> rejected = new ArrayList<>();
        final String query = plan.outputs().get(0).queryId();
        final List<Object> rows = new ArrayList<>();
        // One of the codes represents strings that have none.
        final Pipeline pipeline = new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(schema,
            Map.of(query, new BatchSchema(plan.outputs().get(0).type())),
            Map.of(query, out -> collect(out, rows)), Map.of(),
            (count, reason, detail) -> rejected.add(count + " " + reason), MemoryAccount.NONE,
            new StringTable(StringTable.Lifetime.HELD, 4)));
        final EventBatch first = new EventBatch(schema);
        for (int row = 0; row < 5; row++)
        {
            first.texts(0).set(row, "S" + row);
            first.doubles(1)[row] = 1;
            first.longs(2)[row] = 1;
        }
        first.size(5);

        pipeline.onRows(first, new int[] {0, 2, 3, 4}, 4);
        pipeline.onBatch(first);

        // S4, then S1 and S4; a group that changes leaves and enters.
        assertThat(rejected).hasSize(3).containsOnly("1 " + RejectionHandler.STATE_FULL);
        assertThat(rows).containsExactly("S0", "S2", "S3", "S0", "S0", "S2", "S2", "S3", "S3");
        assertThat(pipeline.statistics()).containsEntry("rowsIn", 9L).containsEntry("rowsRejected", 3L);
    }

    private static void collect(final EventBatch out, final List<Object> rows)
    {
        for (int row = 0; row < out.size(); row++)
        {
            rows.add(out.value(0, row));
        }
    }

    @Test
    void shouldKeepNoTextThatIsLookedUpInARelation()
    {
        final EventType joined = EventType.tuple("Joined", new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("lastPrice", CqlType.DOUBLE));
        final PipelinePlan plan = SignalPlans.plan("joined",
            SignalPlans.view(List.of(SignalPlans.output("joined", joined))));
        final BatchSchema symbol = new BatchSchema(SignalPlans.SYMBOL);
        final LookupRelation relation = new LookupRelation(symbol, 0);
        final EventBatch one = new EventBatch(symbol);
        one.size(1);
        one.texts(0).set(0, "order number 7");
        relation.upsert(one, 0);
        final List<Object> found = new ArrayList<>();
        final BatchSchema schema = new BatchSchema(SignalPlans.TICK);
        final Pipeline pipeline = new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(schema,
            Map.of("joined", new BatchSchema(joined)), Map.of("joined", out -> collect(out, found)),
            Map.of("symbolsRelation", relation), (count, reason, detail) -> assertThat(reason).isNull()));
        final EventBatch rows = new EventBatch(schema);
        for (int first = 0; first < 1_000; first += 200)
        {
            rows.clear();
            for (int row = 0; row < 200; row++)
            {
                final byte[] id = ("order number " + (first + row) % 500).getBytes(StandardCharsets.US_ASCII);
                rows.texts(0).set(row, id, 0, id.length);
            }
            rows.size(200);
            pipeline.onBatch(rows);
            if (first == 0)
            {
                assertThat(found).containsExactly("order number 7");
                one.clear();
                one.size(1);
                one.texts(0).set(0, "order number 300");
                relation.upsert(one, 0);
            }
        }
        assertThat(found).containsExactly("order number 7", "order number 300", "order number 7", "order number 300");
        // The two keys, and the code of strings that have none.
        assertThat(relation.strings().size()).isEqualTo(3);
    }

    @Test
    void shouldKeepNoTextWhenItsGroupHasLeftTheWindow()
    {
        final BatchSchema schema = new BatchSchema(SignalPlans.TICK);
        final PipelinePlan plan = SignalPlans.windowPlan(1_000);
        final StringTable strings = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, 1);
        final List<Object> last = new ArrayList<>();
        final Pipeline pipeline = new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(schema,
            Map.of("counts", new BatchSchema(SignalPlans.SUM)), Map.of("counts", out ->
            {
                last.clear();
                collect(out, last);
            }), Map.of(), (count, reason, detail) -> assertThat(reason).isNull(), MemoryAccount.NONE, strings));
        final EventBatch rows = new EventBatch(schema);
        for (int first = 0; first < 100_000; first += 250)
        {
            rows.clear();
            for (int row = 0; row < 250; row++)
            {
                final byte[] id = ("order of some bytes " + (first + row)).getBytes(StandardCharsets.US_ASCII);
                rows.texts(0).set(row, id, 0, id.length);
                rows.longs(2)[row] = 1;
            }
            rows.baseTimestampNs(first);
            rows.size(250);
            pipeline.onBatch(rows);
        }
        assertThat(last.get(last.size() - 1)).isEqualTo("order of some bytes 99999");
        assertThat(strings.size()).isEqualTo(1 + 1_000);
        assertThat(strings.limit()).isLessThan(2_000);
        assertThat(pipeline.statistics().get("state")).asInstanceOf(InstanceOfAssertFactories.MAP)
            .containsEntry("window1.rows", 1_000L).containsEntry("window1.groups", 1_000L);
    }

    @Test
    void shouldUnloadClassWhenPipelineIsDropped()
    {
        final WeakReference<ClassLoader> loader = compileAndDrop();
        final long deadline = System.nanoTime() + 60_000_000_000L;
        while (loader.get() != null && System.nanoTime() < deadline)
        {
            System.gc();
        }
        assertThat(loader.get()).isNull();
    }

    private WeakReference<ClassLoader> compileAndDrop()
    {
        final Pipeline pipeline = instance(new PipelineCompiler().compile(SignalPlans.pairPlan()));
        fill(1, 100, false);
        pipeline.onBatch(batch);
        return new WeakReference<>(pipeline.getClass().getClassLoader());
    }

    @Test
    void shouldRefuseBindingsWhenARelationHasATableOfItsOwn()
    {
        final CompiledPipeline compiled = new PipelineCompiler().compile(SignalPlans.pairPlan());
        final BatchSchema other = new BatchSchema(SignalPlans.SYMBOL);
        final PipelineBindings bindings = new PipelineBindings(batch.schema(),
            Map.of("perc", new BatchSchema(SignalPlans.SIGNAL)), Map.of("perc", rows -> rowsOut++),
            Map.of("symbolsRelation", new LookupRelation(other, 0)), (rows, reason, detail) -> rowsOut--,
            MemoryAccount.NONE, new StringTable(StringTable.Lifetime.HELD, 10));
        assertThatThrownBy(() -> compiled.instantiate(bindings)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("string table");
    }

    @Test
    void shouldNameWhatIsMissingWhenBindingsLackARelation()
    {
        final CompiledPipeline compiled = new PipelineCompiler().compile(SignalPlans.pairPlan());
        final PipelineBindings bindings = new PipelineBindings(batch.schema(),
            Map.of("perc", new BatchSchema(SignalPlans.SIGNAL)), Map.of("perc", rows -> rowsOut++),
            Map.of(), (rows, reason, detail) -> rowsOut--);
        assertThatThrownBy(() -> compiled.instantiate(bindings)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("symbolsRelation");
    }

    @Test
    void shouldCompareALiteralWithTwoColumns()
    {
        final EventType type = EventType.tuple(
            "Two", new EventProperty("a", CqlType.CHAR), new EventProperty("b", CqlType.CHAR));
        final BatchSchema schema = new BatchSchema(type);
        final Expression literal = new Expression.Literal("x", CqlType.CHAR);
        final Expression condition = SignalPlans.call(Operation.AND, CqlType.BOOLEAN,
            SignalPlans.call(Operation.EQUAL, CqlType.BOOLEAN, SignalPlans.column(0, CqlType.CHAR), literal),
            SignalPlans.call(Operation.EQUAL, CqlType.BOOLEAN, SignalPlans.column(1, CqlType.CHAR), literal));
        final PipelinePlan plan = new PipelinePlan("two", "channel", type, OrderingConstraint.ORDERED, -1,
            List.of(new Operator.Calc(condition, List.of(new Field("a", SignalPlans.column(0, CqlType.CHAR)),
                new Field("b", literal)), List.of(SignalPlans.output("q", type)))));
        final List<Object> seen = new ArrayList<>();
        final Pipeline pipeline = new PipelineCompiler().compile(plan).instantiate(new PipelineBindings(schema,
            Map.of("q", schema), Map.of("q", rows ->
            {
                seen.add(rows.value(0, 0));
                seen.add(rows.value(1, 0));
            }), Map.of(), (rows, reason, detail) -> rowsOut--));
        final EventBatch rows = new EventBatch(schema);
        rows.texts(0).set(0, "x");
        rows.texts(1).set(0, "x");
        rows.texts(0).set(1, "other");
        rows.texts(1).set(1, "x");
        rows.size(2);
        pipeline.onBatch(rows);
        assertThat(seen).containsExactly("x", "x");
    }

    @Test
    void shouldReportFiguresWhenAsked()
    {
        final Pipeline pipeline = instance(new PipelineCompiler().compile(SignalPlans.pairPlan()));
        run(pipeline, 10);
        assertThat(pipeline.statistics()).containsEntry("rowsIn", 55L).containsEntry("batchesIn", 10L)
            .containsEntry("rowsRejected", 0L).containsEntry("rowsOut", Map.of("perc", rowsOut));
    }

    @Test
    void shouldRefuseWithCodeAndNextStepWhenARelationOfAStreamIsAskedFor()
    {
        final PipelinePlan plan = SignalPlans.plan("relation", new Operator.Output(
            "relation", SignalPlans.TICK, Operator.OutputKind.RELATION));
        assertThatThrownBy(() -> new PipelineCompiler().compile(plan)).isInstanceOf(PlanNotSupportedException.class)
            .hasMessageStartingWith("CQL-0901: ").hasMessageContaining("output1").hasMessageContaining("let the query");
    }

    @Test
    void shouldPutOutTheRowsThatEnterWhenAnAggregationIsAStream()
    {
        final Operator.GroupedAggregate aggregate =
            (Operator.GroupedAggregate)SignalPlans.sumPlan(1).roots().get(0);
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(SignalPlans.plan("stream",
            new Operator.GroupedAggregate(aggregate.keys(), aggregate.aggregates(), aggregate.having(),
                aggregate.fields(), List.of(SignalPlans.output("stream", SignalPlans.SUM))))), Map.of());
        harness.onRows(List.of(row("A", 5, 1), row("B", -5, 2), row("A", 0, 3), row("A", 2, 4)), false);

        assertThat(harness.results.get("stream")).extracting(PlanInterpreter.Result::values)
            .containsExactly(List.of("A", 5L), List.of("A", 7L));
    }

    private static PlanInterpreter.Row row(final String symbol, final long volume, final long timeNs)
    {
        return new PlanInterpreter.Row(List.of(symbol, 1.0, volume), timeNs, null);
    }

    @Test
    void shouldRejectRowsOfFurtherKeysWhenAsManyAsMayBeAreKept()
    {
        final Operator.Aggregate total = new Operator.Aggregate(
            Operator.AggregateFunction.COUNT, null, CqlType.BIGINT);
        for (final List<Expression> keys : List.of(
            List.of(SignalPlans.column(2, CqlType.BIGINT)),
            List.of(SignalPlans.column(2, CqlType.BIGINT), SignalPlans.column(1, CqlType.DOUBLE))))
        {
            final PipelinePlan plan = SignalPlans.plan("counts", new Operator.GroupedAggregate(keys, List.of(total),
                null, List.of(new Field("total", new Expression.AggregateValue(0, CqlType.BIGINT, false))),
                List.of(new Operator.Output("counts", COUNTS, Operator.OutputKind.RELATION))));
            final PipelineHarness harness = new PipelineHarness(
                new PipelineCompiler(new JaninoClassCompiler(), 2).compile(plan), Map.of());
            for (final long key : new long[] {5, 6, 7, 5, 8, 6})
            {
                harness.onRows(List.of(new PlanInterpreter.Row(List.of("S", 1.0, key), key, null)), true);
            }
            assertThat(harness.rejected()).as("rows of keys 7 and 8").isEqualTo(2);
            assertThat(harness.results.get("counts")).extracting(result -> result.values().get(0))
                .contains(2L).doesNotContain(3L);
        }
    }
}

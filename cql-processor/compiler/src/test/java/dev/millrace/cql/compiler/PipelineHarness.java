package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One instance of a compiled pipeline with boxed rows in and out. */
final class PipelineHarness
{
    /** Assigns codes that the pipeline does not know. */
    private static final StringTable FOREIGN = new StringTable(StringTable.Lifetime.HELD, 1 << 20);

    final Map<String, List<PlanInterpreter.Result>> results = new LinkedHashMap<>();
    final List<String> heartbeats = new ArrayList<>();
    Pipeline pipeline;
    private final CompiledPipeline compiled;
    private final Map<String, Map<Object, List<Object>>> relationRows;
    private final int resting;
    private StringTable strings;
    private EventBatch batch;
    private TextForm texts = TextForm.CODES;
    private Random restarts;
    private PartitionSelection half;
    private int rejected;

    /** How the strings of rows are written. */
    enum TextForm
    {
        CODES, BYTES, OBJECTS
    }

    PipelineHarness(final CompiledPipeline compiled, final Map<String, Map<Object, List<Object>>> relationRows)
    {
        this(compiled, relationRows, 0);
    }

    /**
     * @param resting number of freed codes that are not reused
     */
    PipelineHarness(final CompiledPipeline compiled, final Map<String, Map<Object, List<Object>>> relationRows,
        final int resting)
    {
        this.compiled = compiled;
        this.relationRows = relationRows;
        this.resting = resting;
        open(compiled.plan(), 0);
    }

    private void open(final PipelinePlan plan, final int others)
    {
        strings = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 20, resting);
        for (int i = 0; i < others; i++)
        {
            strings.literal("of another process " + i);
        }
        final BatchSchema source = new BatchSchema(plan.sourceType());
        batch = new EventBatch(source);
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        for (final Operator.Output output : plan.outputs())
        {
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            results.computeIfAbsent(output.queryId(), query -> new ArrayList<>());
            sinks.put(output.queryId(), rows -> collect(output.queryId(), rows));
        }
        final Map<String, LookupRelation> relations = new HashMap<>();
        plan.roots().forEach(root -> addRelations(root, relationRows, relations));
        pipeline = compiled.instantiate(
            new PipelineBindings(source, schemas, sinks, relations, (rows, reason, detail) -> rejected += rows,
            MemoryAccount.NONE, strings));
    }

    /**
     * At random moments, continues with a new instance that restores the state of the last one, in one part or two, or
     * lets the instance discard some partitions and restore them.
     */
    void restarts(final Random random)
    {
        restarts = random;
    }

    private void mayRestart()
    {
        if (restarts == null || restarts.nextInt(6) > 0)
        {
            return;
        }
        final List<byte[]> written = new ArrayList<>();
        if (restarts.nextBoolean())
        {
            writeParts(written);
        }
        if (written.isEmpty())
        {
            written.add(written(PartitionSelection.ALL));
        }
        if (written.size() > 1 && restarts.nextBoolean() && isForgotten(written.get(1)))
        {
            return;
        }
        open(compiled.plan(), restarts.nextInt(20));
        for (final byte[] each : written)
        {
            final StateInput from = new StateInput(each);
            pipeline.read(from);
            from.end();
        }
    }

    /** Discards the first half of the partitions and restores them. */
    private boolean isForgotten(final byte[] first)
    {
        try
        {
            pipeline.forget(half);
        }
        catch (final StateException relation)
        {
            assertThat(relation).hasMessageContaining("cannot be separated by partition");
            return false;
        }
        pipeline.read(new StateInput(first));
        return true;
    }

    private void writeParts(final List<byte[]> written)
    {
        final int column = restarts.nextInt(compiled.plan().sourceType().properties().size());
        half = PartitionSelection.of(column, new HalfOfPartitions());
        try
        {
            final byte[] first = written(half);
            written.add(written(PartitionSelection.of(column, new HalfOfPartitions().others())));
            written.add(first);
        }
        catch (final StateException shared)
        {
            assertThat(shared).hasMessageContaining("cannot be separated by partition");
        }
    }

    byte[] written(final PartitionSelection which)
    {
        final StateOutput to = new StateOutput(1 << 26);
        pipeline.write(to, which);
        return to.toBytes();
    }

    /** Sets how the strings of the next batches are written. */
    void texts(final TextForm form)
    {
        texts = form;
    }

    int rejected()
    {
        return rejected;
    }

    private void addRelations(final Operator operator, final Map<String, Map<Object, List<Object>>> rows,
        final Map<String, LookupRelation> relations)
    {
        if (operator instanceof Operator.LookupJoin join && !relations.containsKey(join.relation().id()))
        {
            final EventType type = join.relation().type();
            final BatchSchema schema = new BatchSchema(type);
            final LookupRelation relation =
                new LookupRelation(schema, join.relation().keyColumn(), strings, MemoryAccount.NONE);
            final EventBatch one = new EventBatch(schema);
            for (final List<Object> row : rows.get(join.relation().id()).values())
            {
                one.clear();
                write(one, 0, row, TextForm.CODES);
                one.size(1);
                relation.upsert(one, 0);
            }
            relations.put(join.relation().id(), relation);
        }
        operator.consumers().forEach(consumer -> addRelations(consumer, rows, relations));
    }

    private void collect(final String queryId, final EventBatch rows)
    {
        if (rows.size() == 0)
        {
            heartbeats.add(queryId + '@' + rows.baseTimestampNs());
            return;
        }
        for (int row = 0; row < rows.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < rows.schema().columnCount(); column++)
            {
                values.add(rows.value(column, row));
            }
            results.get(queryId).add(new PlanInterpreter.Result(rows.kind(row), values, rows.timestampNs(row),
                rows.hasOrigins() ? rows.originsNs()[row] : null));
        }
    }

    private static void write(final CharColumn texts, final int row, final String text, final TextForm form)
    {
        final byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        switch (form)
        {
            case CODES -> texts.setCode(row, FOREIGN, FOREIGN.literal(text));
            case BYTES -> texts.set(row, utf8, 0, utf8.length);
            default -> texts.set(row, text);
        }
    }

    private static void write(
        final EventBatch batch, final int row, final List<Object> values, final TextForm texts)
    {
        for (int column = 0; column < values.size(); column++)
        {
            final Object value = values.get(column);
            if (value instanceof final String text && batch.schema().storage(column) == ColumnStorage.TEXT)
            {
                write(batch.texts(column), row, text, texts);
            }
            else
            {
                batch.setValue(column, row, value);
            }
        }
    }

    /** Passes rows as one batch; with a base when times count up, otherwise with a time per row. */
    void onRows(final List<PlanInterpreter.Row> rows, final boolean base)
    {
        mayRestart();
        fill(rows, base);
        pipeline.onBatch(batch);
    }

    /** Passes some rows of a batch; the pipeline ignores the others. */
    void onSome(final List<PlanInterpreter.Row> rows, final int... some)
    {
        mayRestart();
        fill(rows, true);
        pipeline.onRows(batch, some, some.length);
    }

    private void fill(final List<PlanInterpreter.Row> rows, final boolean base)
    {
        batch.clear();
        for (int i = 0; i < rows.size(); i++)
        {
            write(batch, i, rows.get(i).values(), texts);
            if (base)
            {
                batch.baseTimestampNs(rows.get(0).timeNs());
            }
            else
            {
                batch.useTimestampPerRow()[i] = rows.get(i).timeNs();
            }
            if (rows.get(i).origin() != null)
            {
                batch.useOrigins()[i] = rows.get(i).origin();
            }
        }
        batch.size(rows.size());
    }

    void onHeartbeat(final long timeNs)
    {
        mayRestart();
        batch.clear();
        batch.baseTimestampNs(timeNs);
        pipeline.onBatch(batch);
    }
}

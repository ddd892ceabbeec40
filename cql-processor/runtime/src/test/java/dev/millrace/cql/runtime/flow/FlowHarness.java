package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A flow over sources S and R of rows (k int, v int, d double, s char), with output as text and as a bag. */
final class FlowHarness
{
    static final EventType TYPE = EventType.tuple("Row", new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("s", CqlType.CHAR));
    static final RowLayout LAYOUT = new RowLayout(CqlType.INT, CqlType.INT, CqlType.DOUBLE, CqlType.CHAR);
    private static final int MAX_ROWS = 1 << 20;

    final List<String> lines = new ArrayList<>();
    final Map<List<Object>, Integer> bag = new HashMap<>();
    final Map<String, Integer> rejected = new TreeMap<>();
    final List<SourceOperator> sources = new ArrayList<>();
    private final Dictionary dictionary = new Dictionary("test");
    private final BatchSchema schema = BatchSchema.sharing(TYPE, dictionary);
    private final FlowEngine engine;
    private final EventBatch batch = new EventBatch(schema);

    /** Makes a flow of one or two sources; operators are found from the last one upstream. */
    FlowHarness(final FlowSource.TimeKind time, final boolean relations, final int sourceCount, final boolean stream,
        final EventType outputType, final Function<List<SourceOperator>, FlowOperator> flow)
    {
        this(time, relations, new int[0], sourceCount, stream, outputType, flow);
    }

    /** Makes a flow over relations with a key. */
    FlowHarness(final FlowSource.TimeKind time, final boolean relations, final int[] primaryKey, final int sourceCount,
        final boolean stream, final EventType outputType, final Function<List<SourceOperator>, FlowOperator> flow)
    {
        final List<FlowSource> channels = new ArrayList<>();
        for (int i = 0; i < sourceCount; i++)
        {
            final FlowSource channel = new FlowSource("S" + i, time, false);
            channels.add(channel);
            sources.add(new SourceOperator(channel, store(), relations, primaryKey, -1, MAX_ROWS));
        }
        final FlowOperator last = flow.apply(sources);
        final OutputOperator output = new OutputOperator(last, new QueryOutput("q", stream,
            BatchSchema.sharing(outputType, dictionary), this::collect, this::reject));
        final List<FlowOperator> order = new ArrayList<>();
        collect(output, order);
        engine = new FlowEngine(channels, List.of(new FlowRegion(order)), this::reject);
    }

    private static void collect(final FlowOperator operator, final List<FlowOperator> order)
    {
        for (final FlowOperator input : operator.inputs())
        {
            collect(input, order);
        }
        if (!order.contains(operator))
        {
            order.add(operator);
        }
    }

    static RowStore store()
    {
        return new RowStore(LAYOUT, MAX_ROWS);
    }

    static RowStore store(final CqlType... types)
    {
        return new RowStore(new RowLayout(types), MAX_ROWS);
    }

    private void reject(final int rows, final String reason, final String detail)
    {
        rejected.merge(reason, rows, Integer::sum);
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                values.add(out.value(column, row));
            }
            final boolean isDelete = out.kind(row) == EventBatch.DELETE;
            lines.add(out.timestampNs(row) + (isDelete ? " - " : " + ") + values);
            bag.merge(values, isDelete ? -1 : 1, Integer::sum);
            bag.values().removeIf(count -> count == 0);
        }
    }

    void row(final int source, final long timeNs, final byte kind, final Object... values)
    {
        batch.clear();
        for (int column = 0; column < values.length; column++)
        {
            write(column, values[column]);
        }
        batch.useTimestampPerRow()[0] = timeNs;
        batch.useKinds()[0] = kind;
        batch.size(1);
        engine.onBatch(source, batch);
    }

    private void write(final int column, final Object value)
    {
        if (value == null)
        {
            batch.setNull(column, 0);
        }
        else if (value instanceof String text)
        {
            batch.ints(column)[0] = dictionary.idOf(text);
        }
        else if (value instanceof Double number)
        {
            batch.clearNull(column, 0);
            batch.doubles(column)[0] = number;
        }
        else
        {
            batch.clearNull(column, 0);
            batch.ints(column)[0] = (Integer)value;
        }
    }

    void heartbeat(final int source, final long timeNs)
    {
        batch.clear();
        batch.baseTimestampNs(timeNs);
        engine.onBatch(source, batch);
    }

    void finish()
    {
        engine.finish();
    }

    Map<String, Object> statistics()
    {
        return engine.statistics();
    }
}

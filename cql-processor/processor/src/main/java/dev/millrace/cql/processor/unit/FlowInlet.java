package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.Map;

/**
 * Passes a channel's batches to a flow, with the interface of a pipeline.
 *
 * <p>Threads: all inlets of a flow run on one thread. If that is a source's thread, other threads alternate with it: an
 * upstream query that starts while events flow may send on a separate thread.
 */
final class FlowInlet extends Pipeline
{
    private final FlowEngine engine;
    private final int source;

    /**
     * @param schema    schema of the channel
     * @param source    index of the channel in the flow
     * @param rejection counts rejected rows
     */
    FlowInlet(final BatchSchema schema, final FlowEngine engine, final int source, final RejectionHandler rejection)
    {
        super(new PipelineBindings(schema, Map.of(), Map.of(), Map.of(), rejection), new String[0], new String[0]);
        this.engine = engine;
        this.source = source;
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        if (batch.size() > 0)
        {
            countIn(batch.size());
        }
        synchronized (engine)
        {
            engine.onBatch(source, batch);
        }
    }

    @Override
    public void onRows(final EventBatch batch, final int[] rows, final int count)
    {
        countIn(count);
        synchronized (engine)
        {
            engine.onRows(source, batch, rows, count);
        }
    }
}

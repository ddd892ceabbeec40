package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Connects one unit of an engine to others: the rows of an output become those of a source. Rows reach patterns this
 * way, and matches return this way.
 *
 * <p>Confined to the engine thread.
 */
public final class InternalChannel implements EventBatchSink
{
    private final BatchSchema schema;
    private final FlowSource source;
    private final AcceptedRows rows = new AcceptedRows();
    private final List<Consumer<AcceptedRows>> readers = new ArrayList<>();
    private QueryOutput output;

    /**
     * @param name    for statistics
     * @param type    of its rows
     * @param origins channels that its rows come from
     */
    public InternalChannel(final String name, final EventType type, final List<FlowSource> origins)
    {
        schema = new BatchSchema(type);
        source = FlowSource.inner(name, origins);
    }

    public BatchSchema schema()
    {
        return schema;
    }

    public FlowSource source()
    {
        return source;
    }

    /** Sets the output that fills it. */
    void output(final QueryOutput of)
    {
        output = of;
    }

    /** Adds a unit that reads its rows. */
    void add(final Consumer<AcceptedRows> reader)
    {
        readers.add(reader);
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        if (batch.size() == 0)
        {
            return;
        }
        // Rows of one time may arrive in several batches.
        rows.begin(batch, FlowTime.BEGINNING);
        for (int row = 0; row < batch.size(); row++)
        {
            rows.add(row, batch.timestampNs(row));
        }
        for (int i = 0; i < readers.size(); i++)
        {
            readers.get(i).accept(rows);
        }
    }

    /** Passes on the collected rows, up to a time. */
    void pass(final long closedNs)
    {
        output.flush();
        source.timeSeen(closedNs);
    }
}

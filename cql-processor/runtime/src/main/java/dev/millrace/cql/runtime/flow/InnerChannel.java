package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from one part of an engine to others: the rows of an output become those of a source. So rows come to
 * patterns, and matches come back.
 *
 * <p>Threads: the engine's.
 */
public final class InnerChannel implements EventBatchSink
{
    private final BatchSchema schema;
    private final FlowSource source;
    private final AcceptedRows rows = new AcceptedRows();
    private final List<UnitSlot> readers = new ArrayList<>();
    private QueryOutput output;

    /**
     * Makes a channel.
     *
     * @param name    for figures
     * @param type    of its rows
     * @param origins channels from which they come
     */
    public InnerChannel(final String name, final EventType type, final List<FlowSource> origins)
    {
        schema = new BatchSchema(type);
        source = FlowSource.inner(name, origins);
    }

    /**
     * Shape of the batches.
     *
     * @return always the same one
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * What those see that read it.
     *
     * @return always the same one
     */
    public FlowSource source()
    {
        return source;
    }

    /** Learns what fills it. */
    void output(final QueryOutput of)
    {
        output = of;
    }

    /** Learns of a unit that takes its rows. */
    void add(final UnitSlot reader)
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
        // Rows of one time may come in several batches.
        rows.begin(batch, FlowTime.BEGINNING);
        for (int row = 0; row < batch.size(); row++)
        {
            rows.add(row, batch.timestampNs(row));
        }
        for (int i = 0; i < readers.size(); i++)
        {
            readers.get(i).rows(source, rows);
        }
    }

    /** Hands on what has gathered, up to a time. */
    void pass(final long closedNs)
    {
        output.flush();
        source.timeSeen(closedNs);
    }
}

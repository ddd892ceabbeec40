package dev.millrace.network.advertised;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.ColumnMappingInlet;

/**
 * Copies rows of another application into a network, by the names of the columns, without their numbers.
 *
 * <p>Threads: one at a time; the thread waits while the network is slower. Failure: rows that the network cannot accept
 * are counted by it.
 */
final class RowEntrance
{
    private final EventBatchSender sender;
    private final EventBatch copy;
    private BatchSchema schema;
    /** {@code null} if rows of the schema do not fit. */
    private ColumnMappingInlet inlet;

    /** @param sender of the network that the rows enter */
    RowEntrance(final EventBatchSender sender)
    {
        this.sender = sender;
        copy = new EventBatch(sender.schema());
    }

    /** The type of the rows in the network. */
    EventType type()
    {
        return sender.schema().type();
    }

    /**
     * Passes rows on.
     *
     * @param batch lent for the call
     * @return false if they do not fit, and were not passed on
     */
    boolean accept(final EventBatch batch)
    {
        if (batch.schema() != schema)
        {
            final EventType from = batch.schema().type();
            schema = batch.schema();
            inlet = RowTypes.missing(from, type()).isEmpty() ?
                new ColumnMappingInlet(sender.schema(), ColumnMapping.between(from, type()), this::send) : null;
        }
        if (inlet != null)
        {
            inlet.accept(batch);
        }
        return inlet != null;
    }

    private void send(final EventBatch view)
    {
        copy.clear();
        copy.copyRows(view, 0, 0, view.size());
        copy.size(view.size());
        copy.clearSequences();
        sender.send(copy);
    }
}

package dev.millrace.network.advertised;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.ColumnMappingInlet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Copies rows of another application into a network, by the names of the columns, without their numbers.
 *
 * <p>Not thread-safe; the thread waits while the network is slower. Failure: rows that the network cannot accept
 * are counted by it.
 */
final class RowCopier
{
    private final EventBatchSender sender;
    private final EventBatch copy;
    private final int channels;
    /** By schema, of which each channel has one; empty if its rows do not fit. */
    private final Map<BatchSchema, Optional<ColumnMappingInlet>> inlets = new IdentityHashMap<>();

    /**
     * @param sender   of the network that the rows enter
     * @param channels number of channels from which the rows come
     */
    RowCopier(final EventBatchSender sender, final int channels)
    {
        this.sender = sender;
        this.channels = channels;
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
        Optional<ColumnMappingInlet> inlet = inlets.get(batch.schema());
        if (inlet == null)
        {
            if (inlets.size() == channels)
            {
                // The channels were replaced: nothing of the previous version of their application is kept.
                inlets.clear();
            }
            inlet = inlet(batch.schema().type());
            inlets.put(batch.schema(), inlet);
        }
        if (inlet.isPresent())
        {
            inlet.get().accept(batch);
        }
        return inlet.isPresent();
    }

    private Optional<ColumnMappingInlet> inlet(final EventType from)
    {
        return RowTypes.missing(from, type()).isEmpty() ? Optional.of(
            new ColumnMappingInlet(sender.schema(), ColumnMapping.between(from, type()), this::send)) :
            Optional.empty();
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

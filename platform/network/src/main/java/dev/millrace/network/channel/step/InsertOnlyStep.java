package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps deletions of a relation out of a stream channel, because a stream cannot retract rows. Deletions of a query are
 * discarded and counted; a deletion or update that a source sends is rejected. An update of a query becomes an insert.
 */
final class InsertOnlyStep implements BatchStep
{
    private final Rejections rejections;
    private final LongAdder leftOut;
    private final FilteredBatch survivors = new FilteredBatch();

    /**
     * @param rejections of the channel; {@code null} when rows come from a query
     * @param leftOut    counts discarded deletions of queries
     */
    InsertOnlyStep(final Rejections rejections, final LongAdder leftOut)
    {
        this.rejections = rejections;
        this.leftOut = leftOut;
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        if (!batch.hasKinds())
        {
            return batch;
        }
        survivors.reset();
        for (int row = 0; row < batch.size(); row++)
        {
            final byte kind = batch.kind(row);
            if (kind == EventBatch.DELETE || kind == EventBatch.UPDATE && rejections != null)
            {
                survivors.drop(row);
            }
        }
        if (rejections == null)
        {
            leftOut.add(survivors.droppedCount());
        }
        else
        {
            rejections.count(survivors.droppedCount(), RejectReason.NOT_A_RELATION,
                "declare the channel with is-relation=\"true\" to delete or update", null);
        }
        if (survivors.droppedCount() == batch.size() && batch.size() > 0)
        {
            return null;
        }
        final EventBatch result = survivors.copy(batch);
        if (batch.size() == 0)
        {
            result.baseTimestampNs(batch.baseTimestampNs());
        }
        result.clearKinds();
        return result;
    }
}

package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;

/** Rejects updates on a relation channel without primary key, because the row that an update replaces is unknown. */
final class NoUpdateStep implements BatchStep
{
    private final Rejections rejections;
    private final FilteredBatch survivors = new FilteredBatch();

    NoUpdateStep(final Rejections rejections)
    {
        this.rejections = rejections;
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        if (!batch.hasKinds() || batch.size() == 0)
        {
            return batch;
        }
        survivors.reset();
        for (int row = 0; row < batch.size(); row++)
        {
            if (batch.kind(row) == EventBatch.UPDATE)
            {
                survivors.drop(row);
            }
        }
        rejections.count(survivors.droppedCount(), RejectReason.UPDATE_WITHOUT_KEY,
            "declare primary-key on the channel to send updates", null);
        return survivors.of(batch);
    }
}

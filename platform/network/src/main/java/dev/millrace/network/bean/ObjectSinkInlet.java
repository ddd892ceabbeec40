package dev.millrace.network.bean;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.RelationSink;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;
import dev.millrace.network.lane.StageMeter;

/**
 * Passes the rows of a batch one by one to a stream or relation sink. When the sink throws, that event is rejected and
 * the next one follows. Deletions and updates reach only a {@link RelationSink}; a plain stream sink on a relation
 * receives its inserts, as in OEP.
 */
final class ObjectSinkInlet implements Inlet
{
    private final StreamSink sink;
    private final RelationSink relationSink;
    private final EventCodec codec;
    private final LaneCounters counters;
    private final Rejections rejections;

    ObjectSinkInlet(final StreamSink sink, final EventCodec codec, final StageMeter meter)
    {
        this.sink = sink;
        relationSink = sink instanceof RelationSink relation ? relation : null;
        this.codec = codec;
        counters = meter.openIn();
        rejections = meter.rejections();
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        for (int row = 0; row < batch.size(); row++)
        {
            try
            {
                hand(batch, row);
            }
            catch (final EventRejectedException e)
            {
                rejections.count(1, RejectReason.REFUSED_BY_SINK, e.getMessage(), null);
            }
            catch (final Throwable e)
            {
                rejections.count(1, RejectReason.STAGE_FAILED, e.toString(), e);
            }
        }
    }

    private void hand(final EventBatch batch, final int row) throws EventRejectedException
    {
        final byte kind = batch.kind(row);
        if (kind == EventBatch.INSERT)
        {
            sink.onInsertEvent(codec.read(batch, row));
        }
        else if (relationSink != null && kind == EventBatch.DELETE)
        {
            relationSink.onDeleteEvent(codec.read(batch, row));
        }
        else if (relationSink != null)
        {
            relationSink.onUpdateEvent(codec.read(batch, row));
        }
    }
}

package dev.millrace.network.bean;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.BatchRelationSink;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;
import dev.millrace.network.lane.StageMeter;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes rows to a batch sink, rows of equal time in one call; rows that were sent together on a system-timestamped
 * channel count as rows of one time. When the sink throws, the events that the exception names are rejected, or all
 * events of the call.
 */
final class BatchSinkInlet implements Inlet
{
    private final BatchStreamSink sink;
    private final BatchRelationSink relationSink;
    private final EventCodec codec;
    private final LaneCounters counters;
    private final Rejections rejections;

    BatchSinkInlet(final BatchStreamSink sink, final EventCodec codec, final StageMeter meter)
    {
        this.sink = sink;
        relationSink = sink instanceof BatchRelationSink relation ? relation : null;
        this.codec = codec;
        counters = meter.openIn();
        rejections = meter.rejections();
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        int row = 0;
        while (row < batch.size())
        {
            int end = batch.timestampPerRow() ? row + 1 : batch.size();
            while (end < batch.size() && batch.timestampNs(end) == batch.timestampNs(row))
            {
                end++;
            }
            try
            {
                hand(batch, row, end);
            }
            catch (final EventRejectedException e)
            {
                final int rejected = e instanceof BatchRejectedException some && !some.rejected().isEmpty() ?
                    some.rejected().size() : end - row;
                rejections.count(rejected, RejectReason.REFUSED_BY_SINK, e.getMessage(), null);
            }
            catch (final Throwable e)
            {
                rejections.count(end - row, RejectReason.STAGE_FAILED, e.toString(), e);
            }
            row = end;
        }
    }

    private void hand(final EventBatch batch, final int from, final int to) throws EventRejectedException
    {
        final List<Object> inserts = new ArrayList<>();
        final List<Object> deletes = new ArrayList<>();
        final List<Object> updates = new ArrayList<>();
        for (int row = from; row < to; row++)
        {
            final byte kind = batch.kind(row);
            if (kind == EventBatch.INSERT)
            {
                inserts.add(codec.read(batch, row));
            }
            else if (relationSink != null)
            {
                (kind == EventBatch.DELETE ? deletes : updates).add(codec.read(batch, row));
            }
        }
        if (!deletes.isEmpty() || !updates.isEmpty())
        {
            relationSink.onEvents(inserts, deletes, updates);
        }
        else if (!inserts.isEmpty())
        {
            sink.onInsertEvents(inserts);
        }
    }
}

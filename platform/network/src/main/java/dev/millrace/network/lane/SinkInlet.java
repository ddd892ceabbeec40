package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;

/** The inlet of a columnar stage, a processor or a bean: an exception rejects the batch, or the rows that it names. */
public final class SinkInlet implements Inlet
{
    private final EventBatchSink sink;
    private final LaneCounters counters;
    private final Rejections rejections;

    public SinkInlet(final EventBatchSink sink, final StageMeter meter)
    {
        this.sink = sink;
        counters = meter.openIn();
        rejections = meter.rejections();
    }

    @Override
    public void accept(final EventBatch batch)
    {
        final int rows = batch.size();
        counters.add(rows);
        try
        {
            sink.onBatch(batch);
        }
        catch (final BatchRejectedException e)
        {
            final int rejected = e.rejected().isEmpty() ? rows : e.rejected().size();
            rejections.count(Math.max(1, rejected), RejectReason.REFUSED_BY_SINK, e.getMessage(), null);
        }
        catch (final EventRejectedException e)
        {
            rejections.count(Math.max(1, rows), RejectReason.REFUSED_BY_SINK, e.getMessage(), null);
        }
        catch (final Throwable e)
        {
            rejections.count(Math.max(1, rows), RejectReason.STAGE_FAILED, e.toString(), e);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return sink instanceof SequencedSink stored ? stored.receivedFrom(producer) : SequencedSink.NOT_STORED;
    }
}

package dev.millrace.network.bean;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.BatchRelationSender;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.SourceLane;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The sender of an object source: converts events to rows of a separate batch. Each call is passed on at once; a
 * collection is sent in as few batches as it fits. An event that does not fit its type is rejected; the others are
 * sent. Thread-safe: one monitor serializes the calls.
 */
public final class ObjectSender implements BatchRelationSender
{
    private final SourceLane lane;
    private final EventCodec codec;
    private final EventBatch batch;

    public ObjectSender(final SourceLane lane, final EventCodec codec)
    {
        this.lane = lane;
        this.codec = codec;
        batch = new EventBatch(lane.schema());
    }

    @Override
    public synchronized void sendInsertEvent(final Object event)
    {
        add(event, EventBatch.INSERT);
        flush();
    }

    @Override
    public synchronized void sendDeleteEvent(final Object event)
    {
        add(event, EventBatch.DELETE);
        flush();
    }

    @Override
    public synchronized void sendUpdateEvent(final Object event)
    {
        add(event, EventBatch.UPDATE);
        flush();
    }

    @Override
    public synchronized void sendInsertEvents(final Collection<?> insertEvents)
    {
        addAll(insertEvents, EventBatch.INSERT);
        flush();
    }

    @Override
    public synchronized void sendEvents(
        final Collection<?> insertEvents, final Collection<?> deleteEvents, final Collection<?> updateEvents)
    {
        addAll(deleteEvents, EventBatch.DELETE);
        addAll(updateEvents, EventBatch.UPDATE);
        addAll(insertEvents, EventBatch.INSERT);
        flush();
    }

    @Override
    public synchronized void sendHeartbeat(final long timestampNs)
    {
        batch.clear();
        batch.baseTimestampNs(timestampNs);
        lane.send(batch);
    }

    private void addAll(final Collection<?> events, final byte kind)
    {
        for (final Object event : events == null ? List.of() : events)
        {
            add(event, kind);
            if (batch.size() == EventBatch.CAPACITY)
            {
                flush();
            }
        }
    }

    private void add(final Object event, final byte kind)
    {
        final int row = batch.size();
        try
        {
            codec.write(event, batch, row);
        }
        catch (final EventRejectedException e)
        {
            lane.reject(1, RejectReason.WRONG_EVENT, e.getMessage());
            return;
        }
        if (kind != EventBatch.INSERT && !batch.hasKinds())
        {
            Arrays.fill(batch.useKinds(), 0, row, EventBatch.INSERT);
        }
        if (batch.hasKinds())
        {
            batch.kinds()[row] = kind;
        }
        batch.size(row + 1);
    }

    private void flush()
    {
        if (batch.size() > 0)
        {
            lane.send(batch);
        }
        batch.clear();
    }
}

package dev.millrace.embedded.application;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventCodec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Sends rows instead of an adapter. Thread-safe; calls are serialized. A call returns when all stages below have
 * processed its rows. Failure: a row that does not fit the event type is refused by {@link IllegalArgumentException};
 * rows that a stage below rejects are counted there.
 */
public final class RowFeed
{
    private final String stage;
    private EventBatchSender sender;
    private EventCodec codec;
    private EventBatch single;

    RowFeed(final String stage)
    {
        this.stage = stage;
    }

    synchronized void open(final EventBatchSender given)
    {
        sender = given;
        codec = EventCodec.of(given.schema());
        single = new EventBatch(given.schema());
    }

    /** Returns the id of the adapter or channel that the rows belong to. */
    public String stage()
    {
        return stage;
    }

    /** Returns the schema of batches. */
    public BatchSchema schema()
    {
        return sender.schema();
    }

    /**
     * Sends an event, or inserts a row of a relation.
     *
     * @param event bean, tuple, or map of all or some properties; missing ones are null
     * @throws IllegalArgumentException if it does not fit the event type
     */
    public void insert(final Object event)
    {
        send(event, EventBatch.INSERT);
    }

    /**
     * Deletes a row of a relation.
     *
     * @param event the row
     * @throws IllegalArgumentException if it does not fit the event type
     */
    public void delete(final Object event)
    {
        send(event, EventBatch.DELETE);
    }

    /**
     * Updates a row of a relation that has a primary key.
     *
     * @param event the new row
     * @throws IllegalArgumentException if it does not fit the event type
     */
    public void update(final Object event)
    {
        send(event, EventBatch.UPDATE);
    }

    private synchronized void send(final Object event, final byte kind)
    {
        if (event instanceof Map<?, ?> map)
        {
            checkNames(map);
        }
        single.clear();
        try
        {
            codec.write(event, single, 0);
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalArgumentException("the row does not fit, stage=" + stage + " reason=" + e.getMessage(),
                e);
        }
        if (kind != EventBatch.INSERT)
        {
            Arrays.fill(single.useKinds(), 0, 1, kind);
        }
        single.size(1);
        sender.send(single);
        single.clear();
    }

    private void checkNames(final Map<?, ?> row)
    {
        final EventType type = sender.schema().type();
        final List<String> known = type.properties().stream().map(EventProperty::name).toList();
        for (final Object name : row.keySet())
        {
            if (!known.contains(name))
            {
                throw new IllegalArgumentException("the event type has no such property, stage=" + stage + " type=" +
                    type.name() + " property=" + name + "; properties are " + known);
            }
        }
    }

    /**
     * Sends rows; an empty batch is a heartbeat.
     *
     * @param batch of {@link #schema()}; may be filled again after the call
     */
    public synchronized void send(final EventBatch batch)
    {
        sender.send(batch);
    }

    /**
     * Promises that no later row is older, on channels whose rows contain their time.
     *
     * @param timeNs nanoseconds, by the time of the rows
     */
    public synchronized void heartbeat(final long timeNs)
    {
        single.clear();
        single.baseTimestampNs(timeNs);
        sender.send(single);
    }
}

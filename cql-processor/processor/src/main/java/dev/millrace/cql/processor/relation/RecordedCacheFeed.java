package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.LookupFeed;
import dev.millrace.network.conversion.EventCodec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Feeds the replica of a cache that one lookup operator of a durable flow uses: the engine receives the changes that
 * are stored, before its next batch. A stored change contains the key and the columns of the value.
 *
 * <p>Confined to the engine thread, except for {@link #recordAgain()}. Failure: a value that cannot be read is counted
 * as rejected, and its key is removed from the replica.
 */
final class RecordedCacheFeed implements LookupFeed, LookupFeed.Copy, RecordedReplica
{
    private static final String KEY = "key of the cache";
    private static final Change CLEAR = new Change(null, null);

    private final Cache cache;
    private final CacheFeed feed;
    private final RejectionHandler rejection;
    private final EventCodec codec;
    private final EventBatch change;
    private final Object[] values;
    private final Queue<Change> stored = new ArrayDeque<>();
    private final Set<Object> rejected = new HashSet<>();
    private ChangeRecorder recorder;

    /** A stored change that the engine has not received; its values are {@code null} when the key was removed. */
    private record Change(Object key, Object[] values)
    {
    }

    RecordedCacheFeed(final CacheFeed feed, final Cache cache, final BatchSchema schema, final CqlType keyType,
        final RejectionHandler rejection)
    {
        this.cache = cache;
        this.feed = feed;
        this.rejection = rejection;
        final List<EventProperty> properties = new ArrayList<>();
        properties.add(new EventProperty(KEY, keyType, EventProperty.MAX_LENGTH_CHARS));
        properties.addAll(schema.type().properties());
        codec = EventCodec.of(new BatchSchema(
            new EventType(schema.type().name(), EventType.Kind.TUPLE, properties, null)));
        change = new EventBatch(codec.schema());
        values = new Object[properties.size()];
    }

    @Override
    public String name()
    {
        return "cache " + cache.id();
    }

    @Override
    public BatchSchema schema()
    {
        return codec.schema();
    }

    @Override
    public void recordTo(final ChangeLog log)
    {
        recorder = new ChangeRecorder(new ChangeLog()
        {
            @Override
            public void append(final EventBatch changes)
            {
                log.append(changes);
                replay(changes);
            }

            @Override
            public void clear()
            {
                log.clear();
                replayClear();
            }
        }, codec.schema());
    }

    @Override
    public void takeChanges()
    {
        if (!feed.hasChanges())
        {
            return;
        }
        boolean isRecorded = false;
        try
        {
            feed.changes(this);
            recorder.flush();
            isRecorded = true;
        }
        finally
        {
            if (!isRecorded)
            {
                recorder.discard();
                feed.reload();
            }
        }
        rejectUnreadable();
    }

    /** Counts values that were read again, for another snapshot, only once. */
    private void rejectUnreadable()
    {
        rejected.retainAll(feed.unreadable());
        for (final Object key : feed.unreadable())
        {
            if (rejected.add(key))
            {
                rejection.reject(1, CacheValueReader.REJECT_REASON,
                    CacheValueReader.unreadable(cache, key, "its columns cannot be read"));
            }
        }
    }

    @Override
    public void recordAgain()
    {
        feed.reload();
    }

    @Override
    public void clear()
    {
        recorder.clear();
    }

    @Override
    public void put(final Object key, final Object[] columns)
    {
        System.arraycopy(columns, 0, values, 1, columns.length);
        record(key, EventBatch.UPDATE);
    }

    @Override
    public void remove(final Object key)
    {
        Arrays.fill(values, null);
        record(key, EventBatch.DELETE);
    }

    private void record(final Object key, final byte kind)
    {
        values[0] = key;
        try
        {
            codec.write(new TupleEvent(codec.schema().type(), values), change, 0);
        }
        catch (final EventRejectedException longKey)
        {
            // No row looks up a string that exceeds the length of all properties.
            return;
        }
        recorder.add(change, 0, kind);
    }

    @Override
    public void replay(final EventBatch changes)
    {
        for (int row = 0; row < changes.size(); row++)
        {
            final Object[] columns = changes.kind(row) == EventBatch.DELETE ? null : new Object[values.length - 1];
            for (int column = 0; columns != null && column < columns.length; column++)
            {
                columns[column] = changes.value(column + 1, row);
            }
            stored.add(new Change(changes.value(0, row), columns));
        }
    }

    @Override
    public void replayClear()
    {
        stored.clear();
        stored.add(CLEAR);
    }

    @Override
    public void changes(final Copy to)
    {
        for (Change next = stored.poll(); next != null; next = stored.poll())
        {
            if (next == CLEAR)
            {
                to.clear();
            }
            else if (next.values() == null)
            {
                to.remove(next.key());
            }
            else
            {
                to.put(next.key(), next.values());
            }
        }
    }

    @Override
    public boolean isComplete()
    {
        return true;
    }
}

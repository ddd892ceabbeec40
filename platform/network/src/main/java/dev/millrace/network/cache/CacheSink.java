package dev.millrace.network.cache;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.conversion.EventValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A cache at the end of a network: rows that are inserted or updated are put under the values of the key properties,
 * rows that are deleted are removed. Consecutive insertions and updates of a batch are put in one call.
 *
 * <p>Threads: called like other sinks; waits for the cache. Failure: rows that the cache rejects, or whose key is null,
 * are rejected; the others are put.
 */
public class CacheSink implements EventBatchSink, InitializingBean
{
    private final Cache cache;
    private final CacheSettings settings;
    private BatchSchema schema;
    private EventCodec codec;
    private int[] keyColumns;

    /**
     * Creates a sink.
     *
     * @param cache    receives the rows
     * @param settings declared settings; must have a value type, which is the type of the rows, and key properties
     */
    public CacheSink(final Cache cache, final CacheSettings settings)
    {
        this.cache = Objects.requireNonNull(cache, "cache");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    /** Refuses a value class whose objects cannot be created or read. */
    @Override
    public void afterPropertiesSet() throws Exception
    {
        final List<String> problems = new EventValues(settings.valueType()).problems();
        if (!problems.isEmpty())
        {
            throw new IllegalStateException(String.join("; ", problems));
        }
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        if (batch.schema() != schema)
        {
            learn(batch.schema());
        }
        final Map<Object, Object> together = new LinkedHashMap<>();
        final Refused refused = new Refused();
        for (int row = 0; row < batch.size(); row++)
        {
            final Object key = key(batch, row);
            if (key == null)
            {
                refused.add(codec.read(batch, row), "a key property is null, cache=" + cache.id() + " key-properties=" +
                    settings.keyProperties());
                continue;
            }
            final boolean isRemoval = batch.kind(row) == EventBatch.DELETE;
            if (isRemoval || together.containsKey(key))
            {
                // Listeners are notified of each change of a key.
                put(together, refused);
            }
            if (isRemoval)
            {
                remove(key, codec.read(batch, row), refused);
            }
            else
            {
                together.put(key, codec.read(batch, row));
            }
        }
        put(together, refused);
        refused.tell();
    }

    private void learn(final BatchSchema seen)
    {
        schema = seen;
        codec = EventCodec.of(seen);
        final EventType type = seen.type();
        keyColumns = settings.keyProperties().stream().mapToInt(type::indexOf).toArray();
    }

    private Object key(final EventBatch batch, final int row)
    {
        if (keyColumns.length == 1)
        {
            return batch.value(keyColumns[0], row);
        }
        final List<Object> parts = new ArrayList<>(keyColumns.length);
        for (final int column : keyColumns)
        {
            final Object part = batch.value(column, row);
            if (part == null)
            {
                return null;
            }
            parts.add(part);
        }
        return List.copyOf(parts);
    }

    private void put(final Map<Object, Object> together, final Refused refused)
    {
        if (together.isEmpty())
        {
            return;
        }
        try
        {
            cache.putAll(together);
        }
        // A cache may have a store, which is a class of the application and may throw anything.
        catch (final RuntimeException e)
        {
            together.values().forEach(event -> refused.add(event, reason(e)));
        }
        together.clear();
    }

    private void remove(final Object key, final Object event, final Refused refused)
    {
        try
        {
            cache.remove(key);
        }
        catch (final RuntimeException e)
        {
            refused.add(event, reason(e));
        }
    }

    private static String reason(final RuntimeException e)
    {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** Events of one batch that were rejected, and the reason of the last rejection. */
    private static final class Refused
    {
        private final List<Object> events = new ArrayList<>();
        private String reason;

        void add(final Object event, final String why)
        {
            events.add(event);
            reason = why;
        }

        void tell() throws BatchRejectedException
        {
            if (!events.isEmpty())
            {
                throw new BatchRejectedException(reason, events);
            }
        }
    }
}

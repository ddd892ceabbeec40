package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.LookupFeed;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks up the row of a key in a cache for each input row; the cache may call its loader. A key of several properties
 * is the list of their values, in the order of key-properties. A cache without a loader can be replicated by a key that
 * is an integer or a string ({@link CacheFeed}).
 *
 * <p>Confined to the thread of one flow. Failure: if a value does not match the declared type, or a loader throws, the
 * input row is rejected.
 */
public final class CacheLookup implements LookupSource, AutoCloseable
{
    private static final String LOADER_FAILED = "cache-loader-failed";

    private final Cache cache;
    private final BatchSchema schema;
    private final CacheValueReader values;
    private final List<CacheFeed> feeds = new ArrayList<>();
    private final RejectionHandler rejection;
    private final Consumer<RecordedReplica> recorded;

    /**
     * @param rejection counts values that cannot be read
     * @param recorded  receives all replicas, whose changes are stored; {@code null} unless the flow is durable
     */
    public CacheLookup(final Cache cache, final BatchSchema schema, final RejectionHandler rejection,
        final Consumer<RecordedReplica> recorded)
    {
        this.cache = cache;
        this.schema = schema;
        this.rejection = rejection;
        this.recorded = recorded;
        values = new CacheValueReader(schema);
    }

    @Override
    public void find(final Object[] keys, final Rows rows)
    {
        for (final Object part : keys)
        {
            if (part == null)
            {
                // Null equals nothing.
                return;
            }
        }
        final Object key = keys.length == 1 ? keys[0] : List.of(keys);
        final Object value = get(key);
        if (value == null)
        {
            return;
        }
        final Object[] found;
        try
        {
            found = values.columns(value);
        }
        // A value is an object of an application class: its getters may throw anything.
        catch (final EventRejectedException | RuntimeException unreadable)
        {
            throw rejected(key, unreadable);
        }
        rows.row(found);
    }

    @Override
    public LookupFeed feed(final CqlType keyType)
    {
        if (cache.findsElsewhere())
        {
            return null;
        }
        final CacheFeed feed = new CacheFeed(values, cache, keyType);
        feeds.add(feed);
        if (recorded == null)
        {
            return feed;
        }
        final RecordedCacheFeed replica = new RecordedCacheFeed(feed, cache, schema, keyType, rejection);
        recorded.accept(replica);
        return replica;
    }

    @Override
    public void close()
    {
        feeds.forEach(CacheFeed::close);
    }

    private Object get(final Object key)
    {
        try
        {
            return cache.get(key);
        }
        // The loader is an application class: it may throw anything.
        catch (final RuntimeException | LinkageError failure)
        {
            throw new RowRejectedException(LOADER_FAILED, ProcessorErrorCode.CACHE_NOT_LOADED + " cache=" + cache.id() +
                " key=" + key + " cause=" + failure + "; the next row calls the loader again");
        }
    }

    private RowRejectedException rejected(final Object key, final Exception cause)
    {
        return new RowRejectedException(
            CacheValueReader.REJECT_REASON, CacheValueReader.unreadable(cache, key, cause));
    }
}

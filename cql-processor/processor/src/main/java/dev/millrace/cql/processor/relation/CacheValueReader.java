package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.network.conversion.EventCodec;
import java.util.Arrays;

/** Reads the columns of a cache's values. Not thread-safe. */
public final class CacheValueReader
{
    /** Reason for values that do not match the declared type, and for rows that need them. */
    static final String REJECT_REASON = "unreadable-cache-value";

    private final EventCodec codec;
    private final EventBatch row;
    private final Object[] columns;

    /**
     * @param schema of the values
     */
    public CacheValueReader(final BatchSchema schema)
    {
        codec = EventCodec.of(schema);
        row = new EventBatch(schema);
        columns = new Object[schema.columnCount()];
    }

    /** The message for a value that cannot be read. */
    static String unreadable(final Cache cache, final Object key, final Object cause)
    {
        return ProcessorErrorCode.CACHE_VALUE_UNREADABLE + " cache=" + cache.id() + " key=" + key + " cause=" + cause +
            "; put values of the cache's value-type";
    }

    /** The columns of a value, valid until the next call. */
    public Object[] columns(final Object value) throws EventRejectedException
    {
        row.clear();
        codec.write(value, row, 0);
        Arrays.setAll(columns, column -> row.value(column, 0));
        return columns;
    }
}

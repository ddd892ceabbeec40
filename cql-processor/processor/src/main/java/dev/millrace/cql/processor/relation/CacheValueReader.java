package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventCodec;
import java.util.Arrays;

/** Reads the columns of a cache's values. Not thread-safe. */
public final class CacheValueReader
{
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

    /** The columns of a value, valid until the next call. */
    public Object[] columns(final Object value) throws EventRejectedException
    {
        row.clear();
        codec.write(value, row, 0);
        Arrays.setAll(columns, column -> row.value(column, 0));
        return columns;
    }
}

package dev.millrace.test;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A row that passed a channel or reached a replaced stage. Immutable. */
public final class ReceivedRow
{
    private final EventType type;
    private final Object[] values;
    private final byte kind;
    private final long timeNs;

    ReceivedRow(final EventBatch batch, final int row)
    {
        type = batch.schema().type();
        values = new Object[type.properties().size()];
        for (int column = 0; column < values.length; column++)
        {
            values[column] = batch.value(column, row);
        }
        kind = batch.kind(row);
        timeNs = batch.timestampNs(row);
    }

    EventType type()
    {
        return type;
    }

    Object value(final int column)
    {
        return values[column];
    }

    byte kind()
    {
        return kind;
    }

    /**
     * Returns a value.
     *
     * @param property of the event type, case ignored
     * @return Integer, Long, Float, Double, BigDecimal, String, Boolean, byte[], object or null
     * @throws IllegalArgumentException if the event type has no such property
     */
    public Object get(final String property)
    {
        final int column = type.indexOf(property);
        if (column < 0)
        {
            throw new IllegalArgumentException("no such property, type=" + type.name() + " property=" + property);
        }
        return values[column];
    }

    /** Returns the values by property, in order of the event type. */
    public Map<String, Object> values()
    {
        final Map<String, Object> all = new LinkedHashMap<>();
        for (int column = 0; column < values.length; column++)
        {
            all.put(type.properties().get(column).name(), values[column]);
        }
        return Collections.unmodifiableMap(all);
    }

    /** Returns the time of the row, nanoseconds since the epoch; a test starts at 0. */
    public long timeNs()
    {
        return timeNs;
    }

    /** Whether the row was deleted from a relation. */
    public boolean isDeleted()
    {
        return kind == EventBatch.DELETE;
    }

    /** Whether the row is the new version of a row of a relation. */
    public boolean isUpdated()
    {
        return kind == EventBatch.UPDATE;
    }

    @Override
    public String toString()
    {
        return Times.format(timeNs) + ' ' + type.name() + Arrays.toString(values);
    }
}

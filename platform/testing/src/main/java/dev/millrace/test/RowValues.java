package dev.millrace.test;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of a row by the exact names of an event type, with times as numbers. Stateless. */
final class RowValues
{
    private RowValues()
    {
    }

    /**
     * Converts a row.
     *
     * @throws IllegalArgumentException if the type has no such property
     */
    static Map<String, Object> of(final Row row, final EventType type)
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        row.values().forEach((name, value) ->
        {
            final int column = type.indexOf(name);
            if (column < 0)
            {
                final List<String> known = type.properties().stream().map(EventProperty::name).toList();
                throw new IllegalArgumentException("the event type has no such property, type=" + type.name() +
                    " property=" + name + "; properties are " + known);
            }
            final EventProperty property = type.properties().get(column);
            values.put(property.name(), property.type() == CqlType.BIGINT ? nanoseconds(value) : value);
        });
        return values;
    }

    /** A property of type bigint with a time contains nanoseconds. */
    private static Object nanoseconds(final Object value)
    {
        return value instanceof Duration duration ? Long.valueOf(duration.toNanos()) :
            value instanceof Instant instant ? Long.valueOf(Times.epochNs(instant)) : value;
    }
}

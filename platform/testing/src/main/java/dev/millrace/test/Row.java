package dev.millrace.test;

import dev.millrace.api.event.EventBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A row to send or to expect: values by property, and what happens to it if the channel is a relation. Immutable.
 *
 * <pre>{@code row("symbol", "ORCL", "price", 61.5)}</pre>
 *
 * <p>Properties that a row does not name are null when it is sent, and are not compared when it is expected.
 */
public final class Row
{
    private final Map<String, Object> values;
    private final byte kind;
    private final Duration sinceStart;
    private final Instant instant;

    private Row(final Map<String, Object> values, final byte kind, final Duration sinceStart, final Instant instant)
    {
        this.values = values;
        this.kind = kind;
        this.sinceStart = sinceStart;
        this.instant = instant;
    }

    /**
     * Creates a row.
     *
     * @param namesAndValues property, value, property, value, ...; a value may be {@code null}, and a
     *                       {@link Duration} or {@link Instant} for a time in nanoseconds
     * @return inserted row
     * @throws IllegalArgumentException if a name has no value, is no string or occurs twice
     */
    public static Row row(final Object... namesAndValues)
    {
        if (namesAndValues.length % 2 != 0)
        {
            throw new IllegalArgumentException("a row is pairs of property and value, count=" + namesAndValues.length);
        }
        final Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            if (!(namesAndValues[i] instanceof String name))
            {
                throw new IllegalArgumentException("the name of a property is a string, actual=" + namesAndValues[i]);
            }
            if (values.containsKey(name))
            {
                throw new IllegalArgumentException("the property is named twice, property=" + name);
            }
            values.put(name, namesAndValues[i + 1]);
        }
        return of(values);
    }

    /**
     * Creates a row of a map.
     *
     * @param values by property
     * @return inserted row
     */
    public static Row of(final Map<String, ?> values)
    {
        return new Row(Collections.unmodifiableMap(new LinkedHashMap<>(values)), EventBatch.INSERT, null, null);
    }

    /**
     * Returns this row as a deletion from a relation.
     *
     * @return a copy
     */
    public Row deleted()
    {
        return new Row(values, EventBatch.DELETE, sinceStart, instant);
    }

    /**
     * Returns this row as an update of a relation.
     *
     * @return a copy
     */
    public Row updated()
    {
        return new Row(values, EventBatch.UPDATE, sinceStart, instant);
    }

    /**
     * Returns this row with a time, for expectations.
     *
     * @param time since the start of the test, compared to the millisecond
     * @return a copy
     */
    public Row at(final Duration time)
    {
        return new Row(values, kind, Objects.requireNonNull(time, "time"), null);
    }

    /**
     * Returns this row with a time, for expectations.
     *
     * @param time compared to the millisecond
     * @return a copy
     */
    public Row at(final Instant time)
    {
        return new Row(values, kind, null, Objects.requireNonNull(time, "time"));
    }

    /** Returns the values by property, immutable. */
    public Map<String, Object> values()
    {
        return values;
    }

    byte kind()
    {
        return kind;
    }

    /** The expected time in nanoseconds since the epoch; {@code null} if any. */
    Long timeNs(final long startNs)
    {
        return sinceStart != null ? Long.valueOf(startNs + sinceStart.toNanos()) :
            instant == null ? null : Long.valueOf(Times.epochNs(instant));
    }

    @Override
    public String toString()
    {
        return values.toString();
    }
}

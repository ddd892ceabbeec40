package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.conversion.EventValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Encodes keys and values of one cache as bytes that all members can read: column values, never instances of
 * application classes, which differ per member. Immutable, thread-safe.
 */
final class CacheCodec
{
    private static final int FORMAT = 1;

    private final String id;
    private final EventType type;
    private final EventValues values;
    private final int[] keyColumns;

    CacheCodec(final CacheSettings settings)
    {
        id = settings.id();
        type = settings.valueType();
        values = type == null ? null : new EventValues(type);
        keyColumns = type == null ? new int[0] :
            settings.keyProperties().stream().mapToInt(type::indexOf).toArray();
    }

    /** Reasons why members cannot share such values; empty if none. */
    List<String> problems()
    {
        if (type == null)
        {
            return List.of();
        }
        final List<String> problems = new ArrayList<>(values.problems());
        for (final EventProperty property : type.properties())
        {
            if (property.type() == CqlType.OBJECT)
            {
                problems.add("members of a cluster cannot share objects of Java classes, cache=" + id +
                    " value-type=" + type.name() + " property=" + property.name());
            }
        }
        return problems;
    }

    /** Describes the columns; equal on members that can exchange values. */
    String shape()
    {
        if (type == null)
        {
            return FORMAT + ":any";
        }
        final StringBuilder text = new StringBuilder().append(FORMAT).append(":(");
        for (final EventProperty property : type.properties())
        {
            text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ")
                .append(property.name().toLowerCase(Locale.ROOT)).append(' ').append(property.type().cqlName());
        }
        text.append(") key (");
        for (final int column : keyColumns)
        {
            text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ")
                .append(type.properties().get(column).name().toLowerCase(Locale.ROOT));
        }
        return text.append(')').toString();
    }

    /** Converts a key to its cached form: a value of the column's type, or a list for several key columns. */
    Object key(final Object key)
    {
        if (key == null)
        {
            throw new IllegalArgumentException("key must not be null, cache=" + id);
        }
        if (keyColumns.length == 0)
        {
            return key;
        }
        try
        {
            if (keyColumns.length == 1)
            {
                return part(key, 0);
            }
            if (!(key instanceof final List<?> parts) || parts.size() != keyColumns.length)
            {
                throw new IllegalArgumentException("the key must be a list with the values of the key properties, "
                    + "cache=" + id +
                    " parts=" + keyColumns.length + " key=" + key);
            }
            final List<Object> converted = new ArrayList<>(keyColumns.length);
            for (int i = 0; i < keyColumns.length; i++)
            {
                converted.add(part(parts.get(i), i));
            }
            return List.copyOf(converted);
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalArgumentException("invalid key, cache=" + id + " reason=" + e.getMessage(), e);
        }
    }

    private Object part(final Object value, final int index) throws EventRejectedException
    {
        final Object converted = values.converted(value, keyColumns[index]);
        if (converted == null)
        {
            throw new IllegalArgumentException("a part of the key is null or empty, cache=" + id + " property=" +
                type.properties().get(keyColumns[index]).name());
        }
        return converted;
    }

    /** Encodes a key returned by {@link #key}. */
    Key encodeKey(final Object key)
    {
        final WireWriter out = new WireWriter();
        PortableValueCodec.write(key, out);
        return new Key(out.bytes());
    }

    Object decodeKey(final Key key)
    {
        return PortableValueCodec.read(new WireReader(key.bytes()));
    }

    byte[] encode(final Object value)
    {
        if (value == null)
        {
            throw new IllegalArgumentException("value must not be null, cache=" + id);
        }
        final WireWriter out = new WireWriter().one(FORMAT);
        if (type == null)
        {
            PortableValueCodec.write(value, out);
            return out.bytes();
        }
        try
        {
            for (final Object each : values.values(value))
            {
                PortableValueCodec.write(each, out);
            }
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalArgumentException("invalid value, cache=" + id + " reason=" + e.getMessage(), e);
        }
        return out.bytes();
    }

    Object decode(final byte[] bytes)
    {
        final WireReader in = new WireReader(bytes);
        final int format = in.one();
        if (format != FORMAT)
        {
            throw new IllegalArgumentException("unsupported version of a value, cache=" + id + " version=" + format);
        }
        if (type == null)
        {
            return PortableValueCodec.read(in);
        }
        final Object[] columns = new Object[type.properties().size()];
        for (int i = 0; i < columns.length; i++)
        {
            columns[i] = PortableValueCodec.read(in);
        }
        return values.event(columns);
    }
}

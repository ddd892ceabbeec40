package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.LongSlots;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.PullFeed;
import dev.millrace.cql.runtime.flow.PullSource;
import dev.millrace.cql.runtime.flow.Values;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * The rows that a source has given for the row that asked last. Of a source that can be copied by its key, rows are
 * found in a copy instead, without asking: such a row has the complement of its place as number.
 *
 * <p>Threads: the engine's.
 */
public final class PulledRows implements PullSource.Rows, PullFeed.Copy
{
    private static final int FEWEST = 64;
    /** A larger buffer is given up when it is not needed any more. */
    private static final int LARGE = 1 << 14;

    /** Of a value of the copy: a reference, an object, a code and the share of the table. */
    private static final int VALUE_BYTES = 40;

    private final PullSource source;
    /** {@code null} where the source is asked always. */
    private final PullFeed feed;
    private LongSlots copied;
    private Object[] copiedValues = new Object[0];
    /** Codes of the strings of the copy that somebody has asked for; held. */
    private int[] copiedCodes = new int[0];
    /** Codes of the keys of the copy that are strings; held. */
    private int[] copiedKeys = new int[0];
    private final Class<?>[] classes;
    private final Unit unit;
    private Object[] values = new Object[FEWEST];
    private int count;

    /**
     * Makes it without rows.
     *
     * @param source what is asked
     * @param types  of the columns that it gives
     * @param key    type of the one key by which the source may be copied; {@code null} when it is asked always
     * @param unit   counts failures
     */
    public PulledRows(final PullSource source, final CqlType[] types, final CqlType key, final Unit unit)
    {
        this.source = source;
        this.unit = unit;
        feed = key == null ? null : source.feed(key);
        copied = new LongSlots();
        classes = Arrays.stream(types).map(PulledRows::boxed).toArray(Class<?>[]::new);
    }

    /**
     * Stands for a source in a plan.
     *
     * @param binding name under which it is bound
     */
    public record Name(String binding) implements UnitConstant
    {
        @Override
        public PullSource in(final FlowBindings bindings)
        {
            return FlowBindings.bound(bindings.pulls(), binding, "pull source");
        }
    }

    private static Class<?> boxed(final CqlType type)
    {
        return switch (type)
        {
            case INT -> Integer.class;
            case BIGINT, TIMESTAMP, INTERVAL -> Long.class;
            case FLOAT -> Float.class;
            case DOUBLE -> Double.class;
            case BOOLEAN -> Boolean.class;
            case BIGDECIMAL -> BigDecimal.class;
            case CHAR, XMLTYPE -> String.class;
            case BYTE -> byte[].class;
            case OBJECT -> Object.class;
        };
    }

    /** Takes in what has changed of the source, before a batch. */
    public void refresh()
    {
        if (feed != null)
        {
            feed.changes(this);
        }
    }

    @Override
    public void clear()
    {
        for (int place = 0; place < copied.slotLimit(); place++)
        {
            forget(place);
            unit.codes.release(copiedKeys[place]);
            copiedKeys[place] = Codes.NULL;
        }
        copied = new LongSlots();
    }

    private void forget(final int place)
    {
        for (int at = place * classes.length; at < (place + 1) * classes.length; at++)
        {
            copiedValues[at] = null;
            unit.codes.release(copiedCodes[at]);
            copiedCodes[at] = Codes.NULL;
        }
    }

    @Override
    public void put(final Object key, final Object[] row)
    {
        final int code = key instanceof final String text ? unit.code(text) : Codes.NULL;
        final int place = copied.slotOf(key instanceof final Number number ? number.longValue() : code);
        final int at = place * classes.length;
        if (at + classes.length > copiedValues.length)
        {
            final int length = Math.max(at + classes.length, copiedValues.length * 2);
            unit.memory.charge((long)(length - copiedValues.length) * VALUE_BYTES);
            copiedValues = Arrays.copyOf(copiedValues, length);
            copiedCodes = Arrays.copyOf(copiedCodes, length);
            copiedKeys = Arrays.copyOf(copiedKeys, length / classes.length + 1);
        }
        forget(place);
        if (copiedKeys[place] != code)
        {
            copiedKeys[place] = code;
            unit.codes.hold(code);
        }
        write(row, copiedValues, at);
    }

    @Override
    public void remove(final Object key)
    {
        final int place = copied.remove(key instanceof final Number number ? number.longValue() :
            unit.codes.find((String)key));
        if (place >= 0)
        {
            forget(place);
            unit.codes.release(copiedKeys[place]);
            copiedKeys[place] = Codes.NULL;
        }
    }

    /**
     * The row of a key in the copy.
     *
     * @param key whole number, or the code of a string
     * @return its number, which is negative, or 0 when the copy has none
     */
    public int find(final long key)
    {
        final int place = copied.find(key);
        return place < 0 ? 0 : ~place;
    }

    /**
     * Whether a key that is not in the copy has no row.
     *
     * @return false when the source must be asked
     */
    public boolean isComplete()
    {
        return feed != null && feed.isComplete();
    }

    /**
     * Asks the source; what it gives before it fails does not count, and the row that asks is rejected.
     *
     * @param keys boxed, or {@code null}
     * @return how many rows there are
     */
    public int ask(final Object... keys)
    {
        count = 0;
        if (values.length > LARGE)
        {
            values = new Object[FEWEST];
        }
        try
        {
            source.find(keys, this);
        }
        // Sources are written by users: they may throw anything, also give rows of other types.
        catch (final Throwable failure)
        {
            count = 0;
            unit.reject(Values.failed(RowRejection.PULL_FAILED, "what is asked for rows failed,", failure));
        }
        return count;
    }

    @Override
    public void row(final Object[] row)
    {
        final int at = count * classes.length;
        if (at + classes.length > values.length)
        {
            values = Arrays.copyOf(values, Math.max(at + classes.length, values.length * 2));
        }
        write(row, values, at);
        count++;
    }

    private void write(final Object[] row, final Object[] to, final int at)
    {
        for (int i = 0; i < classes.length; i++)
        {
            to[at + i] = row[i] instanceof final String text && text.isEmpty() ? null : classes[i].cast(row[i]);
        }
    }

    /**
     * Whether a value is null.
     *
     * @param row    number
     * @param column index
     * @return true when it has none
     */
    public boolean isNull(final int row, final int column)
    {
        return get(row, column) == null;
    }

    private Object get(final int row, final int column)
    {
        return row < 0 ? copiedValues[~row * classes.length + column] : values[row * classes.length + column];
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of an int that is not null
     * @return value
     */
    public int intAt(final int row, final int column)
    {
        return (Integer)get(row, column);
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of a long that is not null
     * @return value
     */
    public long longAt(final int row, final int column)
    {
        return (Long)get(row, column);
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of a float that is not null
     * @return value
     */
    public float floatAt(final int row, final int column)
    {
        return (Float)get(row, column);
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of a double that is not null
     * @return value
     */
    public double doubleAt(final int row, final int column)
    {
        return (Double)get(row, column);
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of a boolean that is not null
     * @return value
     */
    public boolean booleanAt(final int row, final int column)
    {
        return (Boolean)get(row, column);
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of a string that is not null
     * @return value
     */
    public String stringAt(final int row, final int column)
    {
        return (String)get(row, column);
    }

    /**
     * The code of a string; good until the end of the batch unless state holds it.
     *
     * @param row    number
     * @param column index of a string that may be null
     * @return code
     */
    public int codeAt(final int row, final int column)
    {
        if (row >= 0)
        {
            return unit.code((String)get(row, column));
        }
        final int at = ~row * classes.length + column;
        if (copiedCodes[at] == Codes.NULL && copiedValues[at] != null)
        {
            copiedCodes[at] = unit.code((String)copiedValues[at]);
            unit.codes.hold(copiedCodes[at]);
        }
        return copiedCodes[at];
    }

    /**
     * A value.
     *
     * @param row    number
     * @param column index of any other object
     * @return value
     */
    public Object objectAt(final int row, final int column)
    {
        return get(row, column);
    }
}

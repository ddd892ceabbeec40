package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.PullOperator;
import dev.millrace.cql.runtime.flow.PullSource;
import dev.millrace.cql.runtime.flow.Values;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * The rows that a source has given for the row that asked last. Where the source has a copy of itself, a row of it is
 * found there without an object: it has the complement of its place as number.
 *
 * <p>Threads: the engine's.
 */
public final class PulledRows implements PullSource.Rows
{
    private static final int FEWEST = 64;
    /** A larger buffer is given up when it is not needed any more. */
    private static final int LARGE = 1 << 14;

    private final PullSource source;
    private final LookupRelation copy;
    private final Class<?>[] classes;
    private final Unit unit;
    private Object[] values = new Object[FEWEST];
    private int count;

    /**
     * Makes it without rows.
     *
     * @param source what is asked
     * @param types  of the columns that it gives
     * @param unit   counts failures
     */
    public PulledRows(final PullSource source, final CqlType[] types, final Unit unit)
    {
        this.source = source;
        this.unit = unit;
        copy = source.copy();
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
        if (copy != null)
        {
            source.refresh();
        }
    }

    /**
     * The row of a key in the copy.
     *
     * @param key bits of the key
     * @return its number, which is negative, or 0 when the source must be asked
     */
    public int find(final long key)
    {
        if (copy == null)
        {
            return 0;
        }
        final int place = copy.find(key);
        count = 0;
        return place < 0 ? 0 : ~place;
    }

    /**
     * Whether a key that is not in the copy has no row.
     *
     * @return false when the source must be asked
     */
    public boolean isComplete()
    {
        return copy != null && source.isComplete();
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
            unit.reject(Values.failed(PullOperator.FAILED, "what is asked for rows failed,", failure));
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
        for (int i = 0; i < classes.length; i++)
        {
            values[at + i] = row[i] instanceof final String text && text.isEmpty() ? null : classes[i].cast(row[i]);
        }
        count++;
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
        return row < 0 ? copy.nulls(column)[~row] != 0 : get(row, column) == null;
    }

    private Object get(final int row, final int column)
    {
        return values[row * classes.length + column];
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
        return row < 0 ? copy.ints(column)[~row] : (Integer)get(row, column);
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
        return row < 0 ? copy.longs(column)[~row] : (Long)get(row, column);
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
        return row < 0 ? copy.floats(column)[~row] : (Float)get(row, column);
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
        return row < 0 ? copy.doubles(column)[~row] : (Double)get(row, column);
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
        return row < 0 ? copy.bits(column)[~row] != 0 : (Boolean)get(row, column);
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
        return row < 0 ? copy.schema().dictionary(column).string(copy.ints(column)[~row]) : (String)get(row, column);
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
        return row < 0 ? copy.references(column)[~row] : get(row, column);
    }
}

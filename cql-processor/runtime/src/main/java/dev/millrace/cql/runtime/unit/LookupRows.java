package dev.millrace.cql.runtime.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.function.ElementRows;
import dev.millrace.cql.runtime.function.LookupFeed;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.table.LongSlotMap;
import java.util.Arrays;

/**
 * The rows that a source has returned for the last request. When the source can be replicated by its key, rows are
 * found in the replica instead, without a request; the number of such a row is the complement of its index.
 *
 * <p>Confined to the engine thread.
 */
public final class LookupRows implements LookupSource.Rows, LookupFeed.Copy
{
    private static final int FEWEST = 64;
    /** A larger buffer is released when it is no longer needed. */
    private static final int LARGE = 1 << 14;

    /** Bytes per value of the replica: a reference, an object, a code and its share of the table. */
    private static final int VALUE_BYTES = 40;

    private final LookupSource source;
    /** {@code null} when the source is always asked. */
    private final LookupFeed feed;
    private LongSlotMap copied;
    private Object[] copiedValues = new Object[0];
    /** Codes of those strings of the replica that have been read; retained. */
    private int[] copiedCodes = new int[0];
    /** Codes of the keys of the replica that are strings; retained. */
    private int[] copiedKeys = new int[0];
    private final Class<?>[] classes;
    private final Unit unit;
    private Object[] values = new Object[FEWEST];
    private int count;

    /**
     * @param source the source to ask
     * @param types  of the columns that it returns
     * @param key    type of the only key, by which the source may be replicated; {@code null} when it is always asked
     * @param unit   counts failures
     */
    public LookupRows(final LookupSource source, final CqlType[] types, final CqlType key, final Unit unit)
    {
        this.source = source;
        this.unit = unit;
        feed = key == null ? null : source.feed(key);
        copied = new LongSlotMap();
        classes = Arrays.stream(types).map(Values::boxedClass).toArray(Class<?>[]::new);
    }

    /**
     * Refers to a source in a plan.
     *
     * @param binding name under which it is bound
     */
    public record Name(String binding) implements UnitConstant
    {
        @Override
        public LookupSource in(final FlowBindings bindings)
        {
            return FlowBindings.bound(bindings.pulls(), binding, "pull source");
        }
    }

    /**
     * Refers to the elements of collections in a plan, which need no binding.
     *
     * @param name         of the table in the statement
     * @param type         of the elements
     * @param elementClass class of the elements when the type is object
     */
    public record Elements(String name, CqlType type, Class<?> elementClass) implements UnitConstant
    {
        /** Name under which another source of the same elements may be bound. */
        public String binding()
        {
            return "elements of " + name + ' ' + type + ' ' + elementClass;
        }

        /** The elements of a collection. */
        public LookupSource source()
        {
            return new ElementRows(name, type, elementClass);
        }

        @Override
        public LookupSource in(final FlowBindings bindings)
        {
            final LookupSource bound = bindings.pulls().get(binding());
            return bound == null ? source() : bound;
        }
    }

    /** Applies the changes of the source to the replica, before a batch. */
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
        for (int slot = 0; slot < copied.slotLimit(); slot++)
        {
            forget(slot);
            unit.codes.release(copiedKeys[slot]);
            copiedKeys[slot] = StringTable.NULL;
        }
        copied = new LongSlotMap();
    }

    private void forget(final int slot)
    {
        for (int at = slot * classes.length; at < (slot + 1) * classes.length; at++)
        {
            copiedValues[at] = null;
            unit.codes.release(copiedCodes[at]);
            copiedCodes[at] = StringTable.NULL;
        }
    }

    @Override
    public void put(final Object key, final Object[] row)
    {
        final int code = key instanceof final String text ? unit.code(text) : StringTable.NULL;
        final int slot = copied.slotOf(key instanceof final Number number ? number.longValue() : code);
        final int at = slot * classes.length;
        if (at + classes.length > copiedValues.length)
        {
            final int length = Math.max(at + classes.length, copiedValues.length * 2);
            unit.memory.charge((long)(length - copiedValues.length) * VALUE_BYTES);
            copiedValues = Arrays.copyOf(copiedValues, length);
            copiedCodes = Arrays.copyOf(copiedCodes, length);
            copiedKeys = Arrays.copyOf(copiedKeys, length / classes.length + 1);
        }
        forget(slot);
        if (copiedKeys[slot] != code)
        {
            copiedKeys[slot] = code;
            unit.codes.hold(code);
        }
        write(row, copiedValues, at);
    }

    @Override
    public void remove(final Object key)
    {
        final int slot = copied.remove(key instanceof final Number number ? number.longValue() :
            unit.codes.find((String)key));
        if (slot >= 0)
        {
            forget(slot);
            unit.codes.release(copiedKeys[slot]);
            copiedKeys[slot] = StringTable.NULL;
        }
    }

    /**
     * The row of a key in the replica.
     *
     * @param key integer, or the code of a string
     * @return its number, which is negative, or 0 when the replica has none
     */
    public int find(final long key)
    {
        final int slot = copied.find(key);
        return slot < 0 ? 0 : ~slot;
    }

    /**
     * Whether a key that is not in the replica has no row.
     *
     * @return false when the source must be asked
     */
    public boolean isComplete()
    {
        return feed != null && feed.isComplete();
    }

    /**
     * Asks the source. When it fails, rows that it has already returned are ignored and the requesting row is rejected.
     *
     * @param keys boxed, or {@code null}
     * @return number of rows
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
        // Sources of users may throw anything and return rows of other types.
        catch (final Throwable failure)
        {
            count = 0;
            unit.reject(Values.failed(RejectionHandler.PULL_FAILED, "the source failed,", failure));
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

    public boolean isNull(final int row, final int column)
    {
        return get(row, column) == null;
    }

    private Object get(final int row, final int column)
    {
        return row < 0 ? copiedValues[~row * classes.length + column] : values[row * classes.length + column];
    }

    public int intAt(final int row, final int column)
    {
        return (Integer)get(row, column);
    }

    public long longAt(final int row, final int column)
    {
        return (Long)get(row, column);
    }

    public float floatAt(final int row, final int column)
    {
        return (Float)get(row, column);
    }

    public double doubleAt(final int row, final int column)
    {
        return (Double)get(row, column);
    }

    public boolean booleanAt(final int row, final int column)
    {
        return (Boolean)get(row, column);
    }

    public String stringAt(final int row, final int column)
    {
        return (String)get(row, column);
    }

    /**
     * The code of a string; valid until the end of the batch unless state retains it.
     *
     * @param column index of a string that may be null
     */
    public int codeAt(final int row, final int column)
    {
        if (row >= 0)
        {
            return unit.code((String)get(row, column));
        }
        final int at = ~row * classes.length + column;
        if (copiedCodes[at] == StringTable.NULL && copiedValues[at] != null)
        {
            copiedCodes[at] = unit.code((String)copiedValues[at]);
            unit.codes.hold(copiedCodes[at]);
        }
        return copiedCodes[at];
    }

    public Object objectAt(final int row, final int column)
    {
        return get(row, column);
    }
}

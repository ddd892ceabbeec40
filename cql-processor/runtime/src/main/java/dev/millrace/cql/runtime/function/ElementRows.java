package dev.millrace.cql.runtime.function;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Converts the result of a function in {@code TABLE( )} to rows: an array, a Collection, any Iterable or a Stream,
 * which is closed. Each element is the only column of a row; a null result yields no rows. Immutable.
 *
 * <p>Thread-safe. Failure: the requesting row is rejected, and no element becomes a row, when the result is not a
 * collection, has an element of another type than declared or more than {@link #MAX_ELEMENTS} elements, or when an
 * iterator throws.
 */
public final class ElementRows implements LookupSource
{
    /** Maximum number of rows per call. */
    public static final int MAX_ELEMENTS = 1 << 20;
    /** Reason for rows whose function returned an invalid result. */
    public static final String REASON = "function-failed";

    private final String name;
    private final CqlType type;
    private final Class<?> elementClass;

    /**
     * @param name         of the table in the statement, for messages
     * @param type         of the column
     * @param elementClass class of the elements when the type is object
     */
    public ElementRows(final String name, final CqlType type, final Class<?> elementClass)
    {
        this.name = name;
        this.type = type;
        this.elementClass = elementClass;
    }

    @Override
    public void find(final Object[] keys, final Rows rows)
    {
        if (keys[0] == null)
        {
            return;
        }
        final List<Object> elements;
        try
        {
            elements = elements(keys[0]);
        }
        // Iterators of users may throw anything.
        catch (final RuntimeException | StackOverflowError | LinkageError failure)
        {
            throw Values.failed("TABLE " + name, failure);
        }
        final Object[] row = new Object[1];
        for (final Object element : elements)
        {
            row[0] = element;
            rows.row(row);
        }
    }

    private List<Object> elements(final Object given)
    {
        if (given instanceof Iterable<?> all)
        {
            return all(all.iterator());
        }
        if (given instanceof Stream<?> stream)
        {
            try (stream)
            {
                return all(stream.iterator());
            }
        }
        if (given instanceof Object[] array)
        {
            return all(Arrays.asList(array).iterator());
        }
        if (!given.getClass().isArray())
        {
            throw new RowRejectedException(REASON, "a function returned no collection, table=" + name + " returned=" +
                given.getClass().getName());
        }
        final List<Object> elements = new ArrayList<>();
        for (int i = 0; i < Array.getLength(given); i++)
        {
            add(elements, Array.get(given, i));
        }
        return elements;
    }

    private List<Object> all(final Iterator<?> iterator)
    {
        final List<Object> elements = new ArrayList<>();
        while (iterator.hasNext())
        {
            add(elements, iterator.next());
        }
        return elements;
    }

    private void add(final List<Object> elements, final Object element)
    {
        if (elements.size() == MAX_ELEMENTS)
        {
            throw new RowRejectedException(REASON, "a function returned more than " + MAX_ELEMENTS +
                " elements for one row, table=" + name);
        }
        elements.add(element == null ? null : typed(element));
    }

    private Object typed(final Object element)
    {
        final boolean isSmall = element instanceof Short || element instanceof Byte;
        final Object value = type == CqlType.INT && isSmall ? (Object)((Number)element).intValue() :
            type == CqlType.CHAR && element instanceof Character ? element.toString() : element;
        if (!wanted().isInstance(value))
        {
            throw new RowRejectedException(REASON, "an element has another type than declared, table=" + name +
                " declared=" + wanted().getName() + " element=" + element.getClass().getName());
        }
        return value instanceof String text && text.isEmpty() ? null : value;
    }

    private Class<?> wanted()
    {
        return type == CqlType.OBJECT ? elementClass : Values.boxedClass(type);
    }
}

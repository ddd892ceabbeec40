package dev.millrace.cartridge.jdbc;

import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The class of the rows of a result: that of the only column, or a bean with a public field or a setter for each
 * column, by the name of the column or its alias, case ignored. Immutable.
 */
final class RowType
{
    private static final Set<Class<?>> VALUES = Set.of(int.class, Integer.class, long.class, Long.class, float.class,
        Float.class, double.class, Double.class, boolean.class, Boolean.class, String.class, BigDecimal.class,
        byte[].class);

    private final Class<?> type;
    /** {@code null} for a value. */
    private final Constructor<?> constructor;
    private final Map<String, Field> fields = new HashMap<>();
    private final Map<String, Method> setters = new HashMap<>();

    /**
     * @throws IllegalArgumentException if the class is neither a type of a column nor a bean
     */
    RowType(final Class<?> type)
    {
        this.type = type;
        try
        {
            constructor = VALUES.contains(type) ? null : type.getConstructor();
            if (constructor != null)
            {
                bean();
            }
        }
        catch (final NoSuchMethodException | IntrospectionException none)
        {
            throw new IllegalArgumentException("the class of rows has no public constructor without arguments, class=" +
                type.getName(), none);
        }
    }

    private void bean() throws IntrospectionException
    {
        if (!Modifier.isPublic(type.getModifiers()))
        {
            throw new IllegalArgumentException("the class of rows is not public, class=" + type.getName());
        }
        for (final Field field : type.getFields())
        {
            if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers()))
            {
                fields.put(field.getName().toLowerCase(Locale.ROOT), field);
            }
        }
        for (final PropertyDescriptor property : Introspector.getBeanInfo(type, Object.class).getPropertyDescriptors())
        {
            if (property.getWriteMethod() != null)
            {
                setters.put(property.getName().toLowerCase(Locale.ROOT), property.getWriteMethod());
            }
        }
    }

    /** The current row of a result. */
    Object read(final ResultSet row) throws SQLException
    {
        final ResultSetMetaData columns = row.getMetaData();
        if (constructor == null)
        {
            if (columns.getColumnCount() != 1)
            {
                throw new SQLException("return-component-type must be a bean for a result of several columns, " +
                    "columns=" + columns.getColumnCount());
            }
            return value(row, 1, type);
        }
        try
        {
            final Object bean = constructor.newInstance();
            for (int i = 1; i <= columns.getColumnCount(); i++)
            {
                set(bean, columns.getColumnLabel(i), row, i);
            }
            return bean;
        }
        catch (final ReflectiveOperationException failure)
        {
            final Throwable cause = failure instanceof InvocationTargetException target ? target.getCause() : failure;
            throw new SQLException("a row cannot be stored in its class, class=" + type.getName(), cause);
        }
    }

    private void set(final Object bean, final String label, final ResultSet row, final int column)
        throws SQLException, ReflectiveOperationException
    {
        final String name = label.toLowerCase(Locale.ROOT);
        final Method setter = setters.get(name);
        final Field field = fields.get(name);
        if (setter == null && field == null)
        {
            throw new SQLException("the class has neither a setter nor a public field for a column, class=" +
                type.getName() + " column=" + label);
        }
        final Class<?> wanted = setter == null ? field.getType() : setter.getParameterTypes()[0];
        final Object value = value(row, column, wanted);
        if (value == null && wanted.isPrimitive())
        {
            return;
        }
        if (setter == null)
        {
            field.set(bean, value);
        }
        else
        {
            setter.invoke(bean, value);
        }
    }

    /** The value of a column; times as nanoseconds if the class is a long. */
    private static Object value(final ResultSet row, final int column, final Class<?> wanted) throws SQLException
    {
        final Object read;
        if (wanted == int.class || wanted == Integer.class)
        {
            read = row.getInt(column);
        }
        else if (wanted == long.class || wanted == Long.class)
        {
            read = row.getObject(column) instanceof Timestamp time ?
                (Object)(TimeUnit.SECONDS.toNanos(Math.floorDiv(time.getTime(), 1_000)) + time.getNanos()) :
                row.getLong(column);
        }
        else if (wanted == float.class || wanted == Float.class)
        {
            read = row.getFloat(column);
        }
        else if (wanted == double.class || wanted == Double.class)
        {
            read = row.getDouble(column);
        }
        else if (wanted == boolean.class || wanted == Boolean.class)
        {
            read = row.getBoolean(column);
        }
        else
        {
            read = wanted == String.class ? row.getString(column) : wanted == BigDecimal.class ?
                row.getBigDecimal(column) : wanted == byte[].class ? row.getBytes(column) :
                row.getObject(column, wanted);
        }
        return row.wasNull() ? null : read;
    }
}

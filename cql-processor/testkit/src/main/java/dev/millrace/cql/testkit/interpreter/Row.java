package dev.millrace.cql.testkit.interpreter;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The values of a row, with the equality of rows in bags: nulls are equal, NaN equals NaN, -0.0 equals 0.0, 2.5 equals
 * 2.50.
 */
record Row(Object[] values)
{
    @Override
    public boolean equals(final Object other)
    {
        if (!(other instanceof Row row) || row.values.length != values.length)
        {
            return false;
        }
        for (int i = 0; i < values.length; i++)
        {
            if (!Objects.equals(plain(values[i]), plain(row.values[i])))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode()
    {
        int hash = 1;
        for (final Object value : values)
        {
            hash = 31 * hash + Objects.hashCode(plain(value));
        }
        return hash;
    }

    private static Object plain(final Object value)
    {
        if (value instanceof Double number && number == 0.0)
        {
            return 0.0;
        }
        if (value instanceof java.math.BigDecimal number)
        {
            return number.stripTrailingZeros();
        }
        return value instanceof Float number && number == 0.0f ? (Object)0.0f : value;
    }

    Row columns(final int... columns)
    {
        final Object[] picked = new Object[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            picked[i] = values[columns[i]];
        }
        return new Row(picked);
    }

    /** Each value once, in order. */
    static List<Object> distinct(final List<Object> values)
    {
        final Set<Row> once = new LinkedHashSet<>();
        values.forEach(value -> once.add(new Row(new Object[] {value})));
        return once.stream().map(row -> row.values()[0]).toList();
    }
}

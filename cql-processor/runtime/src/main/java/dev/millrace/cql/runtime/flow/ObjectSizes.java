package dev.millrace.cql.runtime.flow;

import java.math.BigDecimal;

/** How much heap the objects take that columns refer to, roughly and from a sample. Stateless. */
final class ObjectSizes
{
    private static final int HEADER_BYTES = 16;
    private static final int TEXT_BYTES = 24 + HEADER_BYTES;
    private static final int DECIMAL_BYTES = 40;
    /** An int array and its owner, for those beyond 18 digits. */
    private static final int LARGE_DECIMAL_BYTES = 112;
    private static final int OTHER_BYTES = 48;
    private static final int LONG_DIGITS = 18;

    private ObjectSizes()
    {
    }

    /**
     * The heap that all objects of rows take, as the first rows say. Where an object of a column comes again in the
     * sample, the column has few different ones, and each counts once.
     *
     * @param objects of all rows, one row after the other; some may be null
     * @param columns of a row
     * @param rows    how many to look at, at most all
     * @return bytes
     */
    static long estimate(final Object[] objects, final int columns, final int rows)
    {
        long bytes = 0;
        for (int column = 0; column < columns; column++)
        {
            long ofSample = 0;
            boolean isShared = false;
            for (int i = column; i < columns * rows; i += columns)
            {
                final boolean isRepeated = isRepeated(objects, columns, i);
                ofSample += objects[i] == null || isRepeated ? 0 : bytes(objects[i]);
                isShared |= isRepeated;
            }
            bytes += isShared ? ofSample : ofSample * (objects.length / columns) / rows;
        }
        return bytes;
    }

    private static boolean isRepeated(final Object[] objects, final int columns, final int at)
    {
        for (int i = at - columns; i >= 0 && objects[at] != null; i -= columns)
        {
            if (objects[i] == objects[at])
            {
                return true;
            }
        }
        return false;
    }

    private static long bytes(final Object object)
    {
        if (object instanceof final String text)
        {
            return TEXT_BYTES + (text.length() + 7L & -8L);
        }
        if (object instanceof final byte[] array)
        {
            return HEADER_BYTES + (array.length + 7L & -8L);
        }
        if (object instanceof final BigDecimal decimal)
        {
            return decimal.precision() <= LONG_DIGITS ? DECIMAL_BYTES : LARGE_DECIMAL_BYTES;
        }
        return OTHER_BYTES;
    }
}

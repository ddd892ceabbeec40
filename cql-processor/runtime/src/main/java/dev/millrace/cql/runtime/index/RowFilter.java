package dev.millrace.cql.runtime.index;

import java.util.Objects;

/**
 * A condition on the rows of a statement: a column equals a string, or is a number within a range. Immutable.
 *
 * @param column of the batches
 * @param text   value of a char column; {@code null} for a number
 * @param low    lower bound as a key of {@link ColumnKeys}
 * @param high   upper bound; the range is empty when it is below {@code low}
 * @param exact  whether the statement must not receive other rows; otherwise it tests the rows itself
 */
public record RowFilter(int column, String text, long low, long high, boolean exact)
{
    /**
     * Rows with a string.
     *
     * @param text not empty
     */
    public static RowFilter ofText(final int column, final String text)
    {
        return new RowFilter(column, Objects.requireNonNull(text, "text"), 0, 0, false);
    }

    /**
     * Rows with numbers of a range.
     *
     * @param low  lower bound as a key of {@link ColumnKeys}
     * @param high upper bound
     */
    public static RowFilter ofRange(final int column, final long low, final long high)
    {
        return new RowFilter(column, null, low, high, false);
    }

    /** The same filter for a statement that must not receive other rows. */
    public RowFilter asExact()
    {
        return new RowFilter(column, text, low, high, true);
    }

    boolean isText()
    {
        return text != null;
    }

    boolean isEquality()
    {
        return isText() || low == high;
    }
}

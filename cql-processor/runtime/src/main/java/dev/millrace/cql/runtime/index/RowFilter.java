package dev.millrace.cql.runtime.index;

import java.util.Objects;

/**
 * Which rows a statement wants at most: those of which a column has a text, or a number between two others. Immutable.
 *
 * @param column of the batches
 * @param text   what a char column must be; {@code null} for a number
 * @param low    least number as {@link ColumnKeys} gives it
 * @param high   greatest number; below {@code low} there is none at all
 */
public record RowFilter(int column, String text, long low, long high)
{
    /**
     * Rows with a text.
     *
     * @param column char column
     * @param text   not empty
     * @return filter
     */
    public static RowFilter ofText(final int column, final String text)
    {
        return new RowFilter(column, Objects.requireNonNull(text, "text"), 0, 0);
    }

    /**
     * Rows with numbers of a range.
     *
     * @param column column of numbers
     * @param low    least, as {@link ColumnKeys} gives it
     * @param high   greatest
     * @return filter
     */
    public static RowFilter ofRange(final int column, final long low, final long high)
    {
        return new RowFilter(column, null, low, high);
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

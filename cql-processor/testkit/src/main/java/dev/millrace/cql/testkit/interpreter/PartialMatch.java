package dev.millrace.cql.testkit.interpreter;

import java.util.List;

/** A possible match: rows of a partition from a start on, each labelled with a variable. */
final class PartialMatch
{
    /** Rows of the partition. */
    final List<Source.Item> rows;
    /** Index of the first row. */
    int start;
    /** Variable of each row from the start on. */
    int[] labels;
    /** Number of labelled rows. */
    int length;
    /** Number of rows of the complete match. */
    int full;
    /** Row for which the result row is emitted. */
    int own;
    /** First row after the match that is outside of its WITHIN, or that has not arrived. */
    int bound;
    /** Row for which an argument of an aggregate is evaluated; -1 outside. */
    int at = -1;
    /** Number of the match in its partition. */
    long number;

    PartialMatch(final List<Source.Item> rows)
    {
        this.rows = rows;
        labels = new int[rows.size() + 1];
    }

    /** The n-th last row labelled with one of the variables, counted from 0; -1 if none exists. */
    int last(final long variables, final int offset)
    {
        int left = offset;
        for (int i = length - 1; i >= 0; i--)
        {
            if ((variables >> labels[i] & 1) != 0 && left-- == 0)
            {
                return start + i;
            }
        }
        return -1;
    }

    /** The n-th row labelled with one of the variables, counted from 0; -1 if none exists. */
    int first(final long variables, final int offset)
    {
        int left = offset;
        for (int i = 0; i < length; i++)
        {
            if ((variables >> labels[i] & 1) != 0 && left-- == 0)
            {
                return start + i;
            }
        }
        return -1;
    }

    /** Variable of a row; -1 when it is not in the match. */
    int label(final int row)
    {
        return row < start || row >= start + full ? -1 : labels[row - start];
    }

    /** Value of a column of a row; the column after the last is its time. */
    Object value(final int row, final int column)
    {
        final Source.Item item = rows.get(row);
        return column == item.row().values().length ? (Object)item.time() : item.row().values()[column];
    }
}

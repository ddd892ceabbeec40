package dev.millrace.cql.testkit.interpreter;

import java.util.List;

/** A possible match: rows of a partition from a start on, each labelled with a variable. */
final class Candidate
{
    /** Rows of the partition. */
    final List<Source.Item> rows;
    /** Index of the first row. */
    int start;
    /** Variable of each row from the start on. */
    int[] labels;
    /** How many rows are labelled. */
    int length;
    /** How many rows the whole match has. */
    int full;
    /** Row that the row of the result stands for. */
    int own;
    /** First row behind the match that is out of its WITHIN, or that has not come. */
    int bound;
    /** Row that an argument of an aggregate is evaluated over; -1 outside. */
    int at = -1;
    /** Number of the match in its partition. */
    long number;
    /** Time of the output row. */
    long time;

    Candidate(final List<Source.Item> rows)
    {
        this.rows = rows;
        labels = new int[rows.size() + 1];
    }

    /** The n-th last row labelled with one of the variables, counted from 0; -1 when there is none. */
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

    /** The n-th row labelled with one of the variables, counted from 0; -1 when there is none. */
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

    /** Value of a column of a row; the column behind the last is its time. */
    Object value(final int row, final int column)
    {
        final Source.Item item = rows.get(row);
        return column == item.row().values().length ? (Object)item.time() : item.row().values()[column];
    }
}

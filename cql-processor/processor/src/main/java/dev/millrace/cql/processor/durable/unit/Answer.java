package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.util.List;

/**
 * What a look-up has found for one row. Immutable.
 *
 * @param of       the look-up
 * @param rows     in order
 * @param rejected why the row that asked was rejected; {@code null} if it was not
 */
record Answer(RecordedLookup of, List<Object[]> rows, RowRejectedException rejected)
{
    /** Passes the rows on, or rejects the row that asks. */
    void passTo(final LookupSource.Rows to)
    {
        if (rejected != null)
        {
            throw rejected;
        }
        rows.forEach(to::row);
    }

    /**
     * Writes some of the rows into a batch.
     *
     * @throws ClassCastException if a value is not of the type of its column
     */
    void fill(final EventBatch batch, final int from, final int to)
    {
        batch.clear();
        for (int i = from; i < to; i++)
        {
            final Object[] row = rows.get(i);
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                batch.setValue(column, i - from, row[column]);
            }
        }
        batch.size(to - from);
    }

    /** Copies the rows of a batch. */
    static void read(final EventBatch batch, final List<Object[]> to)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final Object[] values = new Object[batch.schema().columnCount()];
            for (int column = 0; column < values.length; column++)
            {
                values[column] = batch.value(column, row);
            }
            to.add(values);
        }
    }
}

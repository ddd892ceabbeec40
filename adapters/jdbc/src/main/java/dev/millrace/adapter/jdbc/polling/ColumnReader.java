package dev.millrace.adapter.jdbc.polling;

import dev.millrace.api.event.EventBatch;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads a value of the current row of a result into a column of a batch. Stateless. */
@FunctionalInterface
interface ColumnReader
{
    /**
     * Reads a value. If it is null, the reader may write anything that is not null; the caller then sets the null.
     *
     * @throws RowRejectedException if the property cannot have the value
     */
    void read(ResultSet rows, int from, EventBatch batch, int to, int row) throws SQLException, RowRejectedException;
}

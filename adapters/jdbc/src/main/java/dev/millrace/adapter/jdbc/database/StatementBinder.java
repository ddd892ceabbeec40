package dev.millrace.adapter.jdbc.database;

import dev.millrace.adapter.jdbc.buffer.RowBlock;
import dev.millrace.adapter.jdbc.buffer.RowLayout;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Binds rows to the parameters of a prepared statement. Decisions that depend on types are made in the constructor,
 * those that depend on a block when it is opened, so the cost per row is small compared with the driver. Confined to
 * the writer thread.
 */
final class StatementBinder
{
    private final PreparedStatement statement;
    private final int[] columns;
    private final int[] sqlTypes;
    private final ColumnTypes.Setter[] setters;
    private final Object[] values;
    private final long[][] nulls;

    /**
     * Creates a binder.
     *
     * @param statement  closed with its connection
     * @param parameters column of each parameter
     * @param layout     of the rows
     * @param shape      of the table
     */
    StatementBinder(
        final PreparedStatement statement, final int[] parameters, final RowLayout layout, final TableMetadata shape)
    {
        this.statement = statement;
        columns = parameters;
        sqlTypes = new int[columns.length];
        setters = new ColumnTypes.Setter[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            sqlTypes[i] = shape.sqlTypes()[columns[i]];
            setters[i] = ColumnTypes.setter(layout.properties().get(columns[i]).type(), sqlTypes[i]);
        }
        values = new Object[columns.length];
        nulls = new long[columns.length][];
    }

    PreparedStatement statement()
    {
        return statement;
    }

    /** Sets the block of the following rows. */
    void open(final RowBlock block)
    {
        for (int i = 0; i < columns.length; i++)
        {
            values[i] = block.array(columns[i]);
            nulls[i] = block.nullBits(columns[i]);
        }
    }

    /** Adds a row of the open block to the statement's batch. */
    void add(final int row) throws SQLException
    {
        for (int i = 0; i < setters.length; i++)
        {
            if (isNull(i, row))
            {
                statement.setNull(i + 1, sqlTypes[i]);
            }
            else
            {
                setters[i].set(statement, i + 1, values[i], row);
            }
        }
        statement.addBatch();
    }

    private boolean isNull(final int parameter, final int row)
    {
        final long[] bits = nulls[parameter];
        return bits == null ? ((Object[])values[parameter])[row] == null : (bits[row >> 6] & 1L << row) != 0;
    }
}

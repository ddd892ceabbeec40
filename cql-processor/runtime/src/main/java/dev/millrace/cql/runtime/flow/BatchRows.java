package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;

/** Copies rows between batches and stores. Threads: the engine's. */
public final class BatchRows
{
    private BatchRows()
    {
    }

    /** Copies the columns of a batch's row that are kept, in order, to the first columns of a row. */
    static void read(final EventBatch batch, final int from, final RowStore store, final int row)
    {
        final int columnCount = batch.schema().columnCount();
        for (final int column : store.layout().columns())
        {
            if (column < columnCount && !batch.isNull(column, from))
            {
                read(batch, column, from, store, row);
            }
        }
    }

    private static void read(
        final EventBatch batch, final int column, final int from, final RowStore store, final int row)
    {
        switch (batch.schema().storage(column))
        {
            case INT32 -> store.setLong(row, column, batch.ints(column)[from]);
            case INT64 -> store.setLong(row, column, batch.longs(column)[from]);
            case FLOAT32 -> store.setDouble(row, column, batch.floats(column)[from]);
            case FLOAT64 -> store.setDouble(row, column, batch.doubles(column)[from]);
            case BIT -> store.setLong(row, column, batch.bits(column)[from]);
            case DICTIONARY -> store.setReference(row, column, batch.texts(column).string(from));
            default -> store.setReference(row, column, batch.references(column)[from]);
        }
    }

    /**
     * Copies all columns of a row to a batch.
     *
     * @param store where the row is
     * @param row   its id
     * @param batch where it goes
     * @param to    its place there
     * @throws RowRejectedException when a dictionary has no room for a text
     */
    public static void write(final RowStore store, final int row, final EventBatch batch, final int to)
    {
        for (int column = 0; column < batch.schema().columnCount(); column++)
        {
            if (store.isNull(row, column))
            {
                batch.setNull(column, to);
            }
            else
            {
                if (batch.schema().storage(column).usesNullBitmap())
                {
                    batch.clearNull(column, to);
                }
                write(store, row, batch, column, to);
            }
        }
    }

    private static void write(
        final RowStore store, final int row, final EventBatch batch, final int column, final int to)
    {
        final ColumnStorage storage = batch.schema().storage(column);
        switch (storage)
        {
            case INT32 -> batch.ints(column)[to] = (int)store.getLong(row, column);
            case INT64 -> batch.longs(column)[to] = store.getLong(row, column);
            case FLOAT32 -> batch.floats(column)[to] = (float)store.getDouble(row, column);
            case FLOAT64 -> batch.doubles(column)[to] = store.getDouble(row, column);
            case BIT -> batch.bits(column)[to] = (byte)store.getLong(row, column);
            case DICTIONARY -> batch.texts(column).set(to, (String)store.getReference(row, column));
            default -> batch.references(column)[to] = store.getReference(row, column);
        }
    }

    /** A layout for the columns of a batch, with a bigint for the time when wanted. */
    static RowLayout layout(final BatchSchema schema, final boolean elementTime)
    {
        final int columns = schema.columnCount();
        final CqlType[] types = new CqlType[columns + (elementTime ? 1 : 0)];
        for (int i = 0; i < columns; i++)
        {
            types[i] = schema.type().properties().get(i).type();
        }
        if (elementTime)
        {
            types[columns] = CqlType.BIGINT;
        }
        return new RowLayout(types);
    }
}

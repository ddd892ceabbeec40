package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Hashes of a value that is computed of each row of a batch. Equal values have equal hashes, whatever channel they come
 * from: texts by their characters and not by the id that a dictionary gave them, whole numbers by their value. A value
 * that is null or cannot be computed has the hash {@link #NULL}.
 *
 * <p>Threads: one.
 */
public final class RowHashes
{
    /** Hash of null; other values may have it, too. */
    public static final long NULL = 0;

    private static final int ROWS = 4;

    private final int column;
    private final Calc calc;
    private final RowStore rows;
    private final RowStore values;
    private final CqlType type;

    /**
     * Hashes of a column of the batch.
     *
     * @param schema of the batches
     * @param column index
     */
    public RowHashes(final BatchSchema schema, final int column)
    {
        this.column = column;
        calc = null;
        type = schema.type().properties().get(column).type();
        rows = null;
        values = null;
    }

    /**
     * Hashes of a computed value.
     *
     * @param schema      of the batches
     * @param elementTime whether the time of a row is its last column
     * @param calc        computes one column
     * @param type        of the value
     */
    public RowHashes(final BatchSchema schema, final boolean elementTime, final Calc calc, final CqlType type)
    {
        column = -1;
        this.calc = calc;
        this.type = type;
        rows = new RowStore(BatchRows.layout(schema, elementTime), ROWS);
        values = new RowStore(new RowLayout(type), ROWS);
    }

    /**
     * Computes the hashes of a batch.
     *
     * @param batch  lent
     * @param hashes filled, one a row
     */
    public void of(final EventBatch batch, final long[] hashes)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            hashes[row] = calc == null ? column(batch, row) : computed(batch, row);
        }
    }

    private long column(final EventBatch batch, final int row)
    {
        if (batch.isNull(column, row))
        {
            return NULL;
        }
        return switch (batch.schema().storage(column))
        {
            case INT32 -> batch.ints(column)[row];
            case INT64 -> batch.longs(column)[row];
            case FLOAT32 -> hash(batch.floats(column)[row]);
            case FLOAT64 -> hash(batch.doubles(column)[row]);
            case BIT -> batch.bits(column)[row];
            case DICTIONARY -> batch.texts(column).string(row).hashCode();
            default -> hash(batch.references(column)[row]);
        };
    }

    private long computed(final EventBatch batch, final int from)
    {
        final int row = rows.allocate();
        final int value = values.allocate();
        try
        {
            BatchRows.read(batch, from, rows, row);
            if (rows.layout().columnCount() > batch.schema().columnCount())
            {
                rows.setLong(row, batch.schema().columnCount(), batch.timestampNs(from));
            }
            calc.project(rows, row, values, value);
            return values.isNull(value, 0) ? NULL : hashOf(value);
        }
        catch (final RowRejectedException unknown)
        {
            // The engine meets the same failure, or does not need the value: all such rows stay together.
            return NULL;
        }
        finally
        {
            values.release(value);
            rows.release(row);
        }
    }

    private long hashOf(final int value)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> values.getLong(value, 0);
            case FLOAT, DOUBLE -> hash(values.getDouble(value, 0));
            default -> hash(values.getReference(value, 0));
        };
    }

    /** Adding zero makes -0.0 the 0.0 that it equals; all NaN are one. */
    private static long hash(final double value)
    {
        return Double.doubleToLongBits(value + 0.0);
    }

    private static long hash(final Object value)
    {
        if (value == null || value instanceof String text && text.isEmpty())
        {
            return NULL;
        }
        if (value instanceof BigDecimal decimal)
        {
            return decimal.stripTrailingZeros().hashCode();
        }
        return value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value.hashCode();
    }
}

package dev.millrace.cql.runtime.row;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Hashes of a value of each row of a batch: of a column, or of an expression that a generated class computes. Equal
 * values have equal hashes regardless of their channel: strings by their characters, integers by their value. A value
 * that is null or cannot be computed has the hash {@link #NULL}.
 *
 * <p>Not thread-safe.
 */
public abstract class RowHashes
{
    /** Hash of null; other values may also have it. */
    public static final long NULL = 0;

    protected RowHashes()
    {
    }

    /** Hashes of a column of the batch. */
    public static RowHashes ofColumn(final BatchSchema schema, final int column)
    {
        return new RowHashes()
        {
            @Override
            public void of(final EventBatch batch, final long[] hashes)
            {
                for (int row = 0; row < batch.size(); row++)
                {
                    hashes[row] = batch.isNull(column, row) ? NULL : switch (schema.storage(column))
                    {
                        case INT32 -> batch.ints(column)[row];
                        case INT64 -> batch.longs(column)[row];
                        case FLOAT32 -> hash(batch.floats(column)[row]);
                        case FLOAT64 -> hash(batch.doubles(column)[row]);
                        case BIT -> batch.bits(column)[row];
                        case TEXT -> batch.texts(column).stableHash(row);
                        default -> hash(batch.references(column)[row]);
                    };
                }
            }
        };
    }

    /**
     * Computes the hashes of a batch.
     *
     * @param batch  lent
     * @param hashes filled, one per row
     */
    public abstract void of(EventBatch batch, long[] hashes);

    /** The hash of an integer or a time: the value itself. */
    protected static long hash(final long value)
    {
        return value;
    }

    /** The hash of a boolean: 1 for true, otherwise 0. */
    protected static long hash(final boolean value)
    {
        return value ? 1 : 0;
    }

    /**
     * The hash of a floating-point number. Adding zero turns -0.0 into 0.0, which it equals; all NaN have the same
     * hash.
     */
    protected static long hash(final double value)
    {
        return Double.doubleToLongBits(value + 0.0);
    }

    /**
     * The hash of a string or an object.
     *
     * @param value {@code null} and the empty string are null
     */
    protected static long hash(final Object value)
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

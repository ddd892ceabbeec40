package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Maps partition values to workers: a value to one of {@value #SLOTS} slots, a slot to a worker.
 *
 * <p>Threads: the table is written when the processor starts and only read afterwards. Null values have slot 0, so they
 * stay together.
 */
public final class WorkerRoutingTable
{
    /** Number of slots; far more than workers, so that slots are distributed evenly. */
    static final int SLOTS = 4096;

    /** Maximum number of workers of a processor. */
    public static final int MAX_WORKERS = 64;

    private static final int NULL_SLOT = 0;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SLOTS);
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final byte[] workerOfSlot = new byte[SLOTS];

    /**
     * Assigns the slots in turn.
     *
     * @param workers 1 to {@value #MAX_WORKERS}
     */
    public WorkerRoutingTable(final int workers)
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            workerOfSlot[slot] = (byte)(slot % workers);
        }
    }

    /** The worker that owns a slot. */
    int worker(final int slot)
    {
        return workerOfSlot[slot];
    }

    /** The slot of a hash; the same for all rows with the hash. */
    static int slot(final long hash)
    {
        return hashed(hash);
    }

    /**
     * Computes the slot of each row.
     *
     * @param batch  rows
     * @param column partition column
     * @param slots  result, one per row
     */
    static void slots(final EventBatch batch, final int column, final int[] slots)
    {
        final int size = batch.size();
        final ColumnStorage storage = batch.schema().storage(column);
        switch (storage)
        {
            case TEXT -> textSlots(batch.texts(column), size, slots);
            case INT32 -> intSlots(batch.ints(column), size, slots);
            case INT64 -> longSlots(batch.longs(column), size, slots);
            case FLOAT32 -> floatSlots(batch.floats(column), size, slots);
            case FLOAT64 -> doubleSlots(batch.doubles(column), size, slots);
            case BIT -> bitSlots(batch.bits(column), size, slots);
            case REFERENCE -> referenceSlots(batch.references(column), size, slots);
            default -> throw new IllegalStateException("internal error: unknown storage, storage=" + storage);
        }
        if (batch.hasNulls(column))
        {
            final long[] nulls = batch.nullBits(column);
            for (int row = 0; row < size; row++)
            {
                if ((nulls[row >> 6] & (1L << row)) != 0)
                {
                    slots[row] = NULL_SLOT;
                }
            }
        }
    }

    /**
     * The hash of null is 0, whose slot is that of null. The same string has the same slot in every process: the state
     * of a durable processor stays on its worker.
     */
    private static void textSlots(final CharColumn texts, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = hashed(texts.stableHash(row));
        }
    }

    private static void intSlots(final int[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = hashed(values[row]);
        }
    }

    private static void longSlots(final long[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = hashed(values[row]);
        }
    }

    /** Adding zero converts -0.0 to 0.0, which it equals. */
    private static void floatSlots(final float[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = hashed(Float.floatToIntBits(values[row] + 0.0f));
        }
    }

    private static void doubleSlots(final double[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = hashed(Double.doubleToLongBits(values[row] + 0.0));
        }
    }

    private static void bitSlots(final byte[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = values[row] == 0 ? 1 : 2;
        }
    }

    private static void referenceSlots(final Object[] values, final int size, final int[] slots)
    {
        for (int row = 0; row < size; row++)
        {
            slots[row] = values[row] == null ? NULL_SLOT : hashed(referenceHash(values[row]));
        }
    }

    /** Equal values have equal hashes, including decimals of different scale and arrays of equal bytes. */
    private static int referenceHash(final Object value)
    {
        if (value instanceof BigDecimal decimal)
        {
            return decimal.stripTrailingZeros().hashCode();
        }
        return value instanceof byte[] bytes ? Arrays.hashCode(bytes) : value.hashCode();
    }

    private static int hashed(final long value)
    {
        return (int)((value * HASH_FACTOR) >>> SHIFT);
    }
}

package dev.millrace.network.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;

/**
 * Computes the partitions of the rows of a batch. A partition depends only on the value of one column, so all members
 * compute the same one. Null has its own partition. Equal numbers of different types may have different partitions; the
 * two zeros of floating point have the same one, and so have all NaN values.
 *
 * <p>Not thread-safe.
 */
public final class PartitionHash
{
    /** Number of partitions of each channel. With more members than partitions, some members would have none. */
    public static final int PARTITIONS = 1024;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
    private static final long MIX_2 = 0x94D049BB133111EBL;
    private static final short OF_NULL = partition(0x6E756C6CL);

    private final int column;
    private final ColumnStorage storage;
    private byte[] scratch = new byte[64];

    /**
     * Creates an object for batches of one schema.
     *
     * @param schema of the batches
     * @param column index of the partition key; {@link #isUsable} must hold for its type
     */
    public PartitionHash(final BatchSchema schema, final int column)
    {
        this.column = column;
        storage = schema.storage(column);
        if (!isUsable(schema.type().properties().get(column).type()))
        {
            throw new IllegalArgumentException("a column of this type cannot be a partition key, type="
                + schema.type() + " column=" +
                column);
        }
    }

    /**
     * Whether rows can be partitioned by values of a type.
     *
     * @param type of a column
     * @return false for decimals, bytes and objects
     */
    public static boolean isUsable(final CqlType type)
    {
        return type.storage() != ColumnStorage.REFERENCE;
    }

    /**
     * Computes the partitions of all rows.
     *
     * @param batch      rows
     * @param partitions receives one partition per row
     */
    public void partitions(final EventBatch batch, final short[] partitions)
    {
        final int size = batch.size();
        switch (storage)
        {
            case TEXT -> ofStrings(batch.texts(column), size, partitions);
            case INT32 -> ofInts(batch.ints(column), size, partitions);
            case INT64 -> ofLongs(batch.longs(column), size, partitions);
            case FLOAT32 ->
            {
                final float[] values = batch.floats(column);
                for (int i = 0; i < size; i++)
                {
                    partitions[i] = partition(Float.floatToIntBits(values[i] + 0.0F));
                }
            }
            case FLOAT64 ->
            {
                final double[] values = batch.doubles(column);
                for (int i = 0; i < size; i++)
                {
                    partitions[i] = partition(Double.doubleToLongBits(values[i] + 0.0));
                }
            }
            default ->
            {
                final byte[] values = batch.bits(column);
                for (int i = 0; i < size; i++)
                {
                    partitions[i] = partition(values[i]);
                }
            }
        }
        if (batch.hasNulls(column))
        {
            for (int i = 0; i < size; i++)
            {
                partitions[i] = batch.isNull(column, i) ? OF_NULL : partitions[i];
            }
        }
    }

    private static void ofInts(final int[] values, final int size, final short[] partitions)
    {
        for (int i = 0; i < size; i++)
        {
            partitions[i] = partition(values[i]);
        }
    }

    private static void ofLongs(final long[] values, final int size, final short[] partitions)
    {
        for (int i = 0; i < size; i++)
        {
            partitions[i] = partition(values[i]);
        }
    }

    private void ofStrings(final CharColumn texts, final int size, final short[] partitions)
    {
        for (int i = 0; i < size; i++)
        {
            final int length = texts.length(i);
            if (length > scratch.length)
            {
                scratch = new byte[Math.max(length, 2 * scratch.length)];
            }
            texts.copy(i, scratch, 0);
            partitions[i] = length == 0 ? OF_NULL : partition(hash(scratch, length));
        }
    }

    /**
     * Returns the partition of null.
     *
     * @return 0 to {@value #PARTITIONS} - 1
     */
    public static short ofNull()
    {
        return OF_NULL;
    }

    /**
     * Returns the hash of a string; it is the same on all members and never changes.
     *
     * @param utf8 its bytes
     * @return FNV-1a of 64 bits
     */
    public static long hash(final byte[] utf8)
    {
        return hash(utf8, utf8.length);
    }

    private static long hash(final byte[] utf8, final int length)
    {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < length; i++)
        {
            hash = (hash ^ utf8[i] & 0xFF) * 0x100000001B3L;
        }
        return hash;
    }

    /**
     * Mixes the bits of a number (the finalizer of SplitMix64).
     *
     * @param value any
     * @return mixed
     */
    public static long mix(final long value)
    {
        long mixed = value + GOLDEN;
        mixed = (mixed ^ mixed >>> 30) * MIX_1;
        mixed = (mixed ^ mixed >>> 27) * MIX_2;
        return mixed ^ mixed >>> 31;
    }

    /**
     * Returns the partition of a value.
     *
     * @param value number, its bits, or hash of a string
     * @return 0 to {@value #PARTITIONS} - 1
     */
    public static short partition(final long value)
    {
        return (short)(mix(value) & PARTITIONS - 1);
    }
}

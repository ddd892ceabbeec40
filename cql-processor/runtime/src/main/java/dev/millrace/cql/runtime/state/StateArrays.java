package dev.millrace.cql.runtime.state;

import java.lang.reflect.Array;

/**
 * Ranges of arrays by positions of a ring: the index of a position is the position under the mask. In an array that is
 * not a ring, index and position are equal. Stateless.
 */
public final class StateArrays
{
    private StateArrays()
    {
    }

    /** Minimum bytes of a written element. */
    static int bytes(final Object array)
    {
        final Class<?> type = array.getClass().getComponentType();
        return type == long.class || type == double.class ? Long.BYTES :
            type == int.class || type == float.class ? Integer.BYTES : 1;
    }

    /** Bytes of an element in memory; for objects, of the reference. */
    static int keptBytes(final Object array)
    {
        return array instanceof Object[] ? Integer.BYTES : bytes(array);
    }

    private static int index(final Object array, final int position)
    {
        final int length = Array.getLength(array);
        return (length & length - 1) == 0 ? position & length - 1 : position;
    }

    /**
     * Writes a range.
     *
     * @param array of primitives, or of values of the language
     * @param head  first position
     * @param tail  position after the last one
     */
    public static void write(final Object array, final int head, final int tail, final StateOutput to)
    {
        final int length = Array.getLength(array);
        int position = head;
        while (position != tail)
        {
            final int from = index(array, position);
            final int count = Math.min(tail - position, length - from);
            writeElements(array, from, count, to);
            position += count;
        }
    }

    private static void writeElements(final Object array, final int from, final int count, final StateOutput to)
    {
        if (array instanceof final long[] longs)
        {
            to.writeLongs(longs, from, count);
        }
        else if (array instanceof final int[] ints)
        {
            to.writeInts(ints, from, count);
        }
        else if (array instanceof final byte[] some)
        {
            to.writeBytes(some, from, count);
        }
        else
        {
            for (int i = from; i < from + count; i++)
            {
                writeElement(array, i, to);
            }
        }
    }

    private static void writeElement(final Object array, final int index, final StateOutput to)
    {
        if (array instanceof final boolean[] flags)
        {
            to.writeBoolean(flags[index]);
        }
        else if (array instanceof final double[] doubles)
        {
            to.writeLong(Double.doubleToRawLongBits(doubles[index]));
        }
        else if (array instanceof final float[] floats)
        {
            to.writeInt(Float.floatToRawIntBits(floats[index]));
        }
        else if (array instanceof final Object[] values)
        {
            to.writeValue(values[index]);
        }
        else
        {
            throw new StateException("an array of this type cannot be written, class=" + array.getClass().getName());
        }
    }

    /**
     * Reads a range into an array that has the capacity for it.
     *
     * @param array of the same type
     * @param head  first position
     * @param tail  position after the last one
     */
    public static void read(final Object array, final int head, final int tail, final StateInput from)
    {
        final int length = Array.getLength(array);
        int position = head;
        while (position != tail)
        {
            final int first = index(array, position);
            final int count = Math.min(tail - position, length - first);
            readElements(array, first, count, from);
            position += count;
        }
    }

    private static void readElements(final Object array, final int first, final int count, final StateInput from)
    {
        if (array instanceof final long[] longs)
        {
            from.readLongs(longs, first, count);
        }
        else if (array instanceof final int[] ints)
        {
            from.readInts(ints, first, count);
        }
        else if (array instanceof final byte[] some)
        {
            from.readBytes(some, first, count);
        }
        else
        {
            for (int i = first; i < first + count; i++)
            {
                readElement(array, i, from);
            }
        }
    }

    private static void readElement(final Object array, final int index, final StateInput from)
    {
        if (array instanceof final boolean[] flags)
        {
            flags[index] = from.readBoolean();
        }
        else if (array instanceof final double[] doubles)
        {
            doubles[index] = Double.longBitsToDouble(from.readLong());
        }
        else if (array instanceof final float[] floats)
        {
            floats[index] = Float.intBitsToFloat(from.readInt());
        }
        else
        {
            ((Object[])array)[index] = from.readValue();
        }
    }
}

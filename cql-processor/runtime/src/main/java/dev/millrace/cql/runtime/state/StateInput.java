package dev.millrace.cql.runtime.state;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads the bytes of a {@link StateOutput}. Arrays are allocated only as far as there are bytes for them.
 *
 * <p>Not thread-safe. Ownership: the bytes are lent until all is read. Failure: {@link StateException} for truncated,
 * modified or corrupt bytes.
 */
public final class StateInput
{
    private static final int LOW_BITS = 7;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;
    private static final int MOST_SHIFT = 28;

    private final byte[] bytes;
    private final int end;
    private final List<String> strings = new ArrayList<>();
    private int at;

    /**
     * @param bytes from {@link StateOutput#toBytes}
     * @throws StateException when they are not what was written
     */
    public StateInput(final byte[] bytes)
    {
        this.bytes = bytes;
        end = bytes.length - StateOutput.END_BYTES;
        if (end < StateOutput.HEAD_BYTES || (int)StateOutput.INT.get(bytes, 0) != StateOutput.MAGIC)
        {
            throw new StateException("these bytes are not state, bytes=" + bytes.length);
        }
        final int version = (int)StateOutput.INT.get(bytes, Integer.BYTES);
        if (version != StateOutput.VERSION)
        {
            throw new StateException("state has an unknown format, version=" + version + " known=" +
                StateOutput.VERSION);
        }
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, end);
        if ((int)StateOutput.INT.get(bytes, end) != (int)checksum.getValue())
        {
            throw new StateException("bytes of state are missing or were changed, bytes=" + bytes.length);
        }
        at = StateOutput.HEAD_BYTES;
    }

    /**
     * Checks that all bytes were read.
     *
     * @throws StateException when bytes remain
     */
    public void end()
    {
        if (at != end)
        {
            throw new StateException("state has bytes after its end, bytes=" + (end - at));
        }
    }

    /** Whether at least this many bytes remain. */
    public boolean has(final long count)
    {
        return count <= end - at;
    }

    private int next(final int count)
    {
        if (count < 0 || count > end - at)
        {
            throw new StateException("state ends too early, bytes=" + bytes.length);
        }
        final int from = at;
        at += count;
        return from;
    }

    private int next(final int count, final int bytesEach)
    {
        return next((int)Math.min(Integer.MAX_VALUE, (long)count * bytesEach));
    }

    /**
     * Creates an exception for corrupt state.
     *
     * @param what name of the state
     */
    public static StateException senseless(final String what)
    {
        return new StateException("state is corrupt, " + what);
    }

    /**
     * Checks the range of a number that was read.
     *
     * @param limit upper bound, exclusive
     * @param what  name of the number, for the message
     * @return the number
     * @throws StateException when it is negative or too great
     */
    public static int checked(final int value, final int limit, final String what)
    {
        if (value < 0 || value >= limit)
        {
            throw senseless(what + '=' + value + " limit=" + limit);
        }
        return value;
    }

    public byte readByte()
    {
        return bytes[next(1)];
    }

    public boolean readBoolean()
    {
        return readByte() != 0;
    }

    public int readInt()
    {
        return (int)StateOutput.INT.get(bytes, next(Integer.BYTES));
    }

    public long readLong()
    {
        return (long)StateOutput.LONG.get(bytes, next(Long.BYTES));
    }

    /** Reads a number that was written as a count; at least 0. */
    public int readCount()
    {
        int value = 0;
        for (int shift = 0; shift <= MOST_SHIFT; shift += LOW_BITS)
        {
            final int next = readByte();
            value |= (next & LOW_MASK) << shift;
            if (next >= 0)
            {
                return checked(value, Integer.MAX_VALUE, "count");
            }
        }
        throw senseless("a count has too many bytes");
    }

    /**
     * Reads the number of elements that follow.
     *
     * @param leastBytes minimum bytes per element
     * @return at most as many as there are bytes for
     */
    public int readSize(final int leastBytes)
    {
        final int count = readCount();
        if ((long)count * leastBytes > end - at)
        {
            throw new StateException("state ends too early, bytes=" + bytes.length);
        }
        return count;
    }

    /** Reads ints. */
    public void readInts(final int[] to, final int from, final int count)
    {
        int next = next(count, Integer.BYTES);
        for (int i = from; i < from + count; i++)
        {
            to[i] = (int)StateOutput.INT.get(bytes, next);
            next += Integer.BYTES;
        }
    }

    /** Reads longs. */
    public void readLongs(final long[] to, final int from, final int count)
    {
        int next = next(count, Long.BYTES);
        for (int i = from; i < from + count; i++)
        {
            to[i] = (long)StateOutput.LONG.get(bytes, next);
            next += Long.BYTES;
        }
    }

    /** Reads bytes. */
    public void readBytes(final byte[] to, final int from, final int count)
    {
        System.arraycopy(bytes, next(count), to, from, count);
    }

    private byte[] readBytes()
    {
        final int count = readSize(1);
        final int from = next(count);
        return Arrays.copyOfRange(bytes, from, from + count);
    }

    /**
     * Reads a string as its number.
     *
     * @return for {@link #string}; -1 for {@code null}
     */
    public int readNumber()
    {
        final int number = readCount() - 1;
        if (number > strings.size())
        {
            throw senseless("string=" + number + " strings=" + strings.size());
        }
        if (number == strings.size())
        {
            strings.add(new String(readBytes(), StandardCharsets.UTF_8));
        }
        return number;
    }

    /**
     * A string that was read.
     *
     * @param number from {@link #readNumber}
     */
    public String string(final int number)
    {
        return strings.get(number);
    }

    /** Reads a string, which may be {@code null}. */
    public String readString()
    {
        final int number = readNumber();
        return number < 0 ? null : strings.get(number);
    }

    /** Reads a list that {@link StateOutput#writeStrings} has written. */
    public List<String> readStrings()
    {
        final List<String> all = new ArrayList<>();
        for (int count = readCount(); count > 0; count--)
        {
            all.add(readString());
        }
        return all;
    }

    /**
     * Reads a value of a type of the language.
     *
     * @return boxed, or {@code null}
     */
    public Object readValue()
    {
        final byte tag = readByte();
        return switch (tag)
        {
            case ValueTypeTags.NULL -> null;
            case ValueTypeTags.FALSE -> Boolean.FALSE;
            case ValueTypeTags.TRUE -> Boolean.TRUE;
            case ValueTypeTags.INT -> readInt();
            case ValueTypeTags.LONG -> readLong();
            case ValueTypeTags.FLOAT -> Float.intBitsToFloat(readInt());
            case ValueTypeTags.DOUBLE -> Double.longBitsToDouble(readLong());
            case ValueTypeTags.STRING -> readString();
            case ValueTypeTags.BYTES -> readBytes();
            case ValueTypeTags.DECIMAL -> decimal();
            default -> throw senseless("value=" + tag);
        };
    }

    private BigDecimal decimal()
    {
        final int scale = readInt();
        final byte[] unscaled = readBytes();
        if (unscaled.length == 0)
        {
            throw senseless("a decimal has no digits");
        }
        return new BigDecimal(new BigInteger(unscaled), scale);
    }
}

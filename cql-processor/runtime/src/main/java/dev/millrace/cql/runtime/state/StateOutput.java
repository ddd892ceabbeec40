package dev.millrace.cql.runtime.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes state as bytes, into a buffer that grows up to a maximum. Equal strings are written once.
 *
 * <p>Not thread-safe. Failure: {@link StateException} when the maximum is exceeded.
 */
public final class StateOutput
{
    /** Version of the format, not of the content. */
    static final int VERSION = 1;
    /** First bytes: {@code MRST}. */
    static final int MAGIC = 0x5453524D;
    /** Bytes of the header and of the checksum at the end. */
    static final int HEAD_BYTES = 2 * Integer.BYTES;
    static final int END_BYTES = Integer.BYTES;

    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int FEWEST_BYTES = 1 << 10;
    private static final int LOW_BITS = 7;
    private static final int LOW_MASK = (1 << LOW_BITS) - 1;

    private final int maxBytes;
    private final Map<String, Integer> strings = new HashMap<>();
    private byte[] bytes = new byte[FEWEST_BYTES];
    private int size;

    /**
     * @param maxBytes maximum number of bytes
     */
    public StateOutput(final int maxBytes)
    {
        this.maxBytes = maxBytes;
        writeInt(MAGIC);
        writeInt(VERSION);
    }

    /** All that was written, with a checksum. Nothing can be written afterwards. */
    public byte[] toBytes()
    {
        final int end = room(END_BYTES);
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, end);
        INT.set(bytes, end, (int)checksum.getValue());
        return Arrays.copyOf(bytes, size);
    }

    /** Ensures capacity, and returns the index of the next byte. */
    private int room(final int count)
    {
        final int at = size;
        if (count > maxBytes - at)
        {
            throw new StateException("state has more bytes than may be written, maxBytes=" + maxBytes);
        }
        if (count > bytes.length - at)
        {
            bytes = Arrays.copyOf(bytes, (int)Math.min(maxBytes, Math.max(bytes.length * 2L, (long)at + count)));
        }
        size = at + count;
        return at;
    }

    private int room(final int count, final int bytesEach)
    {
        return room((int)Math.min(Integer.MAX_VALUE, (long)count * bytesEach));
    }

    /** Writes a byte: the lowest eight bits of the value. */
    public void writeByte(final int value)
    {
        final int at = room(1);
        bytes[at] = (byte)value;
    }

    public void writeBoolean(final boolean value)
    {
        writeByte(value ? 1 : 0);
    }

    public void writeInt(final int value)
    {
        final int at = room(Integer.BYTES);
        INT.set(bytes, at, value);
    }

    public void writeLong(final long value)
    {
        final int at = room(Long.BYTES);
        LONG.set(bytes, at, value);
    }

    /** Writes a small non-negative number in few bytes. */
    public void writeCount(final int value)
    {
        int rest = value;
        while (rest > LOW_MASK)
        {
            writeByte(rest & LOW_MASK | LOW_MASK + 1);
            rest >>>= LOW_BITS;
        }
        writeByte(rest);
    }

    /** Writes ints of an array. */
    public void writeInts(final int[] values, final int from, final int count)
    {
        int at = room(count, Integer.BYTES);
        for (int i = from; i < from + count; i++)
        {
            INT.set(bytes, at, values[i]);
            at += Integer.BYTES;
        }
    }

    /** Writes longs of an array. */
    public void writeLongs(final long[] values, final int from, final int count)
    {
        int at = room(count, Long.BYTES);
        for (int i = from; i < from + count; i++)
        {
            LONG.set(bytes, at, values[i]);
            at += Long.BYTES;
        }
    }

    /** Writes bytes of an array. */
    public void writeBytes(final byte[] values, final int from, final int count)
    {
        final int at = room(count);
        System.arraycopy(values, from, bytes, at, count);
    }

    /**
     * Writes a string: its value, or its number where an equal one was written before.
     *
     * @param value may be {@code null}
     * @return its number for {@link #writeKnown}; -1 for {@code null}
     */
    public int writeString(final String value)
    {
        if (value == null)
        {
            writeCount(0);
            return -1;
        }
        final Integer known = strings.putIfAbsent(value, strings.size());
        if (known != null)
        {
            writeKnown(known);
            return known;
        }
        final int number = strings.size() - 1;
        writeKnown(number);
        final byte[] text = value.getBytes(StandardCharsets.UTF_8);
        writeCount(text.length);
        writeBytes(text, 0, text.length);
        return number;
    }

    /**
     * Writes a string that was written before.
     *
     * @param number from {@link #writeString}
     */
    public void writeKnown(final int number)
    {
        writeCount(number + 1);
    }

    /** Writes the number of strings, and each of them; they may be {@code null}. */
    public void writeStrings(final List<String> all)
    {
        writeCount(all.size());
        all.forEach(this::writeString);
    }

    /**
     * Writes a value of a type of the language.
     *
     * @param value a number, boolean, string, bytes or {@code null}
     * @throws StateException for an object of any other class
     */
    public void writeValue(final Object value)
    {
        if (value instanceof final BigDecimal decimal)
        {
            final byte[] unscaled = decimal.unscaledValue().toByteArray();
            writeByte(ValueTypeTags.DECIMAL);
            writeInt(decimal.scale());
            writeCount(unscaled.length);
            writeBytes(unscaled, 0, unscaled.length);
        }
        else if (value instanceof final String string)
        {
            writeByte(ValueTypeTags.STRING);
            writeString(string);
        }
        else if (value instanceof final byte[] binary)
        {
            writeByte(ValueTypeTags.BYTES);
            writeCount(binary.length);
            writeBytes(binary, 0, binary.length);
        }
        else
        {
            writeSmall(value);
        }
    }

    private void writeSmall(final Object value)
    {
        if (value == null)
        {
            writeByte(ValueTypeTags.NULL);
        }
        else if (value instanceof final Boolean flag)
        {
            writeByte(flag ? ValueTypeTags.TRUE : ValueTypeTags.FALSE);
        }
        else if (value instanceof final Integer number)
        {
            writeByte(ValueTypeTags.INT);
            writeInt(number);
        }
        else if (value instanceof final Long number)
        {
            writeByte(ValueTypeTags.LONG);
            writeLong(number);
        }
        else if (value instanceof final Float number)
        {
            writeByte(ValueTypeTags.FLOAT);
            writeInt(Float.floatToRawIntBits(number));
        }
        else if (value instanceof final Double number)
        {
            writeByte(ValueTypeTags.DOUBLE);
            writeLong(Double.doubleToRawLongBits(number));
        }
        else
        {
            throw new StateException("an object of this class cannot be written, class=" + value.getClass().getName());
        }
    }
}

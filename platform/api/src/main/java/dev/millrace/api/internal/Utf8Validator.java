package dev.millrace.api.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Validates the bytes of strings. */
public final class Utf8Validator
{
    /** Returned instead of a length when the bytes are not valid UTF-8. */
    public static final int INVALID = -1;

    /** The bits that are set only in bytes outside ASCII. */
    public static final long NON_ASCII = 0x8080808080808080L;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Utf8Validator()
    {
    }

    /**
     * Number of UTF-16 code units that the bytes decode to; the declared length of a char property counts these.
     *
     * @param bytes contains the string
     * @param from  its first byte
     * @param to    its end
     * @return the number, or {@link #INVALID}
     */
    public static int length(final byte[] bytes, final int from, final int to)
    {
        int position = from;
        while (position + Long.BYTES <= to && ((long)LONG.get(bytes, position) & NON_ASCII) == 0)
        {
            position += Long.BYTES;
        }
        int chars = position - from;
        while (position < to)
        {
            final int size = sequence(bytes, position, to);
            if (size == INVALID)
            {
                return INVALID;
            }
            chars += size == 4 ? 2 : 1;
            position += size;
        }
        return chars;
    }

    /** Length of the character at a position: 1 to 4 bytes, or {@link #INVALID} if RFC 3629 forbids it. */
    private static int sequence(final byte[] bytes, final int position, final int to)
    {
        final int first = bytes[position] & 0xFF;
        if (first < 0x80)
        {
            return 1;
        }
        final int size = first < 0xC2 ? INVALID : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : INVALID;
        if (size == INVALID || position + size > to)
        {
            return INVALID;
        }
        final int second = bytes[position + 1] & 0xFF;
        final int lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        final int highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest)
        {
            return INVALID;
        }
        for (int i = 2; i < size; i++)
        {
            if ((bytes[position + i] & 0xC0) != 0x80)
            {
                return INVALID;
            }
        }
        return size;
    }
}

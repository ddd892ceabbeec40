package dev.millrace.cluster.cache;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** A growing byte buffer. Not thread-safe. */
final class WireWriter
{
    private static final int FIRST_BYTES = 64;
    private static final int SEVEN_BITS = 7;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    private void reserve(final int more)
    {
        if (size + more > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }

    WireWriter one(final int value)
    {
        reserve(1);
        bytes[size++] = (byte)value;
        return this;
    }

    /** Writes a non-negative number in variable length; small numbers are short. */
    WireWriter count(final long value)
    {
        long rest = value;
        while (rest >>> SEVEN_BITS != 0)
        {
            one((int)(rest & 0x7f) | 0x80);
            rest >>>= SEVEN_BITS;
        }
        return one((int)rest);
    }

    WireWriter fixed(final long value)
    {
        reserve(Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++)
        {
            bytes[size++] = (byte)(value >>> 8 * i);
        }
        return this;
    }

    WireWriter id(final UUID value)
    {
        return fixed(value.getMostSignificantBits()).fixed(value.getLeastSignificantBits());
    }

    WireWriter text(final String value)
    {
        return block(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the length, then the bytes. */
    WireWriter block(final byte[] value)
    {
        count(value.length);
        return raw(value, 0, value.length);
    }

    WireWriter raw(final byte[] value, final int from, final int length)
    {
        reserve(length);
        System.arraycopy(value, from, bytes, size, length);
        size += length;
        return this;
    }

    int size()
    {
        return size;
    }

    byte[] bytes()
    {
        return Arrays.copyOf(bytes, size);
    }
}

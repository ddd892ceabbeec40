package dev.millrace.cluster.cache;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Reads the output of {@link WireWriter}; throws the exceptions of array access when bytes are missing. Not
 * thread-safe.
 */
final class WireReader
{
    private static final int SEVEN_BITS = 7;

    private final byte[] bytes;
    private int at;

    WireReader(final byte[] bytes)
    {
        this.bytes = bytes;
    }

    boolean hasMore()
    {
        return at < bytes.length;
    }

    int one()
    {
        return bytes[at++];
    }

    long count()
    {
        long value = 0;
        int shift = 0;
        int part = one();
        while (part < 0)
        {
            value |= (part & 0x7fL) << shift;
            shift += SEVEN_BITS;
            part = one();
        }
        return value | (long)part << shift;
    }

    /** Reads a length or count. It never exceeds the number of remaining bytes, which bounds allocation. */
    int size()
    {
        final long value = count();
        if (value < 0 || value > bytes.length - at)
        {
            throw new IndexOutOfBoundsException("size=" + value + " left=" + (bytes.length - at));
        }
        return (int)value;
    }

    long fixed()
    {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++)
        {
            value |= (one() & 0xffL) << 8 * i;
        }
        return value;
    }

    UUID id()
    {
        return new UUID(fixed(), fixed());
    }

    String text()
    {
        final int length = size();
        final String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    byte[] block()
    {
        final int length = size();
        final byte[] value = new byte[length];
        System.arraycopy(bytes, at, value, 0, length);
        at += length;
        return value;
    }
}

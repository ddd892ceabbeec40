package dev.millrace.adapter.kafka.property;

import dev.millrace.api.event.CqlType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Layout of values in the wire format: version, flags, and a row as in the frames of the loadgen adapter. Stateless.
 */
public final class WireLayout
{
    /** The first byte. */
    public static final byte VERSION = 1;
    /** Flag in the second byte: a bitmap of nulls is in front of the columns. */
    public static final byte HAS_NULLS = 1;
    /** Bytes in front of the row. */
    public static final int HEADER_BYTES = 2;
    /** Maximum length of a string, whose length has two bytes. */
    public static final int MAX_TEXT_BYTES = 0xFFFF;

    /** Numbers are little-endian. */
    public static final VarHandle SHORT = view(short[].class);
    public static final VarHandle INT = view(int[].class);
    public static final VarHandle LONG = view(long[].class);
    public static final VarHandle FLOAT = view(float[].class);
    public static final VarHandle DOUBLE = view(double[].class);

    private WireLayout()
    {
    }

    private static VarHandle view(final Class<?> array)
    {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    /** Bytes of a value, or of the length of a string; 0 if the format does not contain the type. */
    public static int bytes(final CqlType type)
    {
        return switch (type)
        {
            case BOOLEAN -> 1;
            case CHAR -> 2;
            case INT, FLOAT -> 4;
            case BIGINT, DOUBLE, TIMESTAMP, INTERVAL -> 8;
            default -> 0;
        };
    }

    /** Bytes of the bitmap of nulls. */
    public static int bitmapBytes(final int columns)
    {
        return columns + 7 >>> 3;
    }
}

package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.CqlType;

/** The encodings of columns in binary frames, with the type codes of the preamble. */
public enum WireType
{
    /** String: one byte with the number of UTF-8 bytes, then the bytes; length 0 is null. */
    CHAR8(1, 1),
    /** String: two bytes with the number of UTF-8 bytes, then the bytes; length 0 is null. */
    CHAR16(2, 2),
    /** 32-bit integer. */
    INT(3, 4),
    /** 64-bit integer. */
    BIGINT(4, 8),
    /** 32-bit IEEE 754 number. */
    FLOAT(5, 4),
    /** 64-bit IEEE 754 number. */
    DOUBLE(6, 8),
    /** One byte, 0 or 1. */
    BOOLEAN(7, 1),
    /** 64-bit integer: nanoseconds since the epoch. */
    TIMESTAMP(8, 8);

    private final int code;
    private final int minBytes;

    WireType(final int code, final int minBytes)
    {
        this.code = code;
        this.minBytes = minBytes;
    }

    /**
     * The type code of the preamble.
     *
     * @return 1 to 8
     */
    public int code()
    {
        return code;
    }

    /**
     * Minimum size of a value of this type.
     *
     * @return bytes; the exact size except for strings
     */
    public int minBytes()
    {
        return minBytes;
    }

    /**
     * Whether this is a string of variable length.
     *
     * @return true for {@link #CHAR8} and {@link #CHAR16}
     */
    public boolean isText()
    {
        return this == CHAR8 || this == CHAR16;
    }

    /**
     * Whether an event property can be filled from this type: the same type, a number that widens ({@code double} also
     * fills {@code float}, as in CSV), or a string, which is converted as a field of CSV is.
     *
     * @param property type of the property
     * @return true if it can
     */
    public boolean fills(final CqlType property)
    {
        return switch (this)
        {
            case CHAR8, CHAR16 -> carrying(property) != null;
            case INT -> property == CqlType.INT || property == CqlType.BIGINT || property == CqlType.FLOAT ||
                property == CqlType.DOUBLE;
            case BIGINT -> property == CqlType.BIGINT || property == CqlType.DOUBLE || property == CqlType.INTERVAL ||
                property == CqlType.TIMESTAMP;
            case FLOAT, DOUBLE -> property == CqlType.FLOAT || property == CqlType.DOUBLE;
            case BOOLEAN -> property == CqlType.BOOLEAN;
            case TIMESTAMP -> property == CqlType.TIMESTAMP;
        };
    }

    /**
     * Finds a type by its code.
     *
     * @param code of the preamble
     * @return the type, or {@code null}
     */
    public static WireType byCode(final int code)
    {
        return code >= 1 && code <= values().length ? values()[code - 1] : null;
    }

    /**
     * The wire type that encodes a property without loss.
     *
     * @param property type of the property
     * @return the type, or {@code null} when frames do not support such a property
     */
    public static WireType carrying(final CqlType property)
    {
        return switch (property)
        {
            case CHAR -> CHAR8;
            case INT -> INT;
            case BIGINT, INTERVAL -> BIGINT;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case BOOLEAN -> BOOLEAN;
            case TIMESTAMP -> TIMESTAMP;
            case BIGDECIMAL, BYTE, XMLTYPE, OBJECT -> null;
        };
    }
}

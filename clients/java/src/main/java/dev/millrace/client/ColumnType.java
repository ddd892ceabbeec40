package dev.millrace.client;

/** The types of columns, with their bytes in a row. The properties that they fill are those of the same CQL type. */
public enum ColumnType
{
    /** Strings of at most 255 bytes in UTF-8. */
    CHAR8(1, 1),
    /** Strings of at most 65535 bytes in UTF-8. */
    CHAR16(2, 2),
    /** 32-bit integers; also fill bigint, float and double. */
    INT(3, 4),
    /** 64-bit integers; also fill double, timestamp and interval. */
    BIGINT(4, 8),
    /** 32-bit IEEE 754 numbers; also fill double. */
    FLOAT(5, 4),
    /** 64-bit IEEE 754 numbers. */
    DOUBLE(6, 8),
    /** Booleans. */
    BOOLEAN(7, 1),
    /** Nanoseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMP(8, 8);

    private final int code;
    private final int bytes;

    ColumnType(final int code, final int bytes)
    {
        this.code = code;
        this.bytes = bytes;
    }

    /** The code in the preamble. */
    int code()
    {
        return code;
    }

    /** Size of a value; of strings, the size of their length. */
    int bytes()
    {
        return bytes;
    }

    /** Whether values are strings. */
    boolean isText()
    {
        return this == CHAR8 || this == CHAR16;
    }
}

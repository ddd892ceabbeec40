package dev.millrace.api.event;

import java.util.Locale;
import java.util.Map;

/**
 * The data types of CQL (Oracle CQL Language Reference, table 2-1; {@code bigdecimal} since 12c).
 *
 * <p>Numbers widen {@code int < bigint < float < double < bigdecimal}.
 */
public enum CqlType
{
    /** 32-bit integer. */
    INT(ColumnStorage.INT32, int.class),
    /** 64-bit integer. */
    BIGINT(ColumnStorage.INT64, long.class),
    /** 32-bit floating point. */
    FLOAT(ColumnStorage.FLOAT32, float.class),
    /** 64-bit floating point. */
    DOUBLE(ColumnStorage.FLOAT64, double.class),
    /** Decimal number of any precision. */
    BIGDECIMAL(ColumnStorage.REFERENCE, java.math.BigDecimal.class),
    /** String of at most 4096 characters. */
    CHAR(ColumnStorage.TEXT, String.class),
    /** Bytes, at most 4096. */
    BYTE(ColumnStorage.REFERENCE, byte[].class),
    /** True or false. */
    BOOLEAN(ColumnStorage.BIT, boolean.class),
    /** An instant, nanoseconds since the epoch. */
    TIMESTAMP(ColumnStorage.INT64, long.class),
    /** A duration, nanoseconds. */
    INTERVAL(ColumnStorage.INT64, long.class),
    /** An XML value. */
    XMLTYPE(ColumnStorage.REFERENCE, String.class),
    /** Any Java object. */
    OBJECT(ColumnStorage.REFERENCE, Object.class);

    private static final Map<String, CqlType> ALIASES = Map.ofEntries(
        Map.entry("integer", INT), Map.entry("java.lang.integer", INT),
        Map.entry("long", BIGINT), Map.entry("java.lang.long", BIGINT),
        Map.entry("java.lang.float", FLOAT), Map.entry("java.lang.double", DOUBLE),
        Map.entry("decimal", BIGDECIMAL), Map.entry("java.math.bigdecimal", BIGDECIMAL),
        Map.entry("string", CHAR), Map.entry("java.lang.string", CHAR), Map.entry("varchar", CHAR),
        Map.entry("byte[]", BYTE), Map.entry("java.lang.boolean", BOOLEAN),
        Map.entry("java.sql.timestamp", TIMESTAMP), Map.entry("java.util.date", TIMESTAMP),
        Map.entry("java.lang.object", OBJECT));

    private final ColumnStorage storage;
    private final Class<?> javaClass;

    CqlType(final ColumnStorage storage, final Class<?> javaClass)
    {
        this.storage = storage;
        this.javaClass = javaClass;
    }

    /**
     * Returns the storage of columns of this type.
     *
     * @return the storage
     */
    public ColumnStorage storage()
    {
        return storage;
    }

    /**
     * Returns the Java class of values of this type when they are passed to user code.
     *
     * @return a primitive or reference class
     */
    public Class<?> javaClass()
    {
        return javaClass;
    }

    /**
     * Whether this is one of the number types.
     *
     * @return true for int, bigint, float, double and bigdecimal
     */
    public boolean isNumeric()
    {
        return ordinal() <= BIGDECIMAL.ordinal();
    }

    /**
     * Returns the name of the type in CQL.
     *
     * @return lower-case name
     */
    public String cqlName()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a type by its CQL name or by a Java class name, as used in event type declarations.
     *
     * @param name for example {@code bigint}, {@code char} or {@code java.lang.String}; case is ignored
     * @return the type, or {@code null} if no type has that name
     */
    public static CqlType byName(final String name)
    {
        final String key = name.strip().toLowerCase(Locale.ROOT);
        for (final CqlType type : values())
        {
            if (type.cqlName().equals(key))
            {
                return type;
            }
        }
        return ALIASES.get(key);
    }
}

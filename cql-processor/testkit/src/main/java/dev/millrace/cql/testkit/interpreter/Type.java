package dev.millrace.cql.testkit.interpreter;

import java.util.Locale;

/** Types of values, numbers in order of widening. */
public enum Type
{
    /** 32-bit integer, {@link Integer}. */
    INT,
    /** 64-bit integer, {@link Long}. */
    BIGINT,
    /** 32-bit floating point, {@link Float}. */
    FLOAT,
    /** 64-bit floating point, {@link Double}. */
    DOUBLE,
    /** {@link java.math.BigDecimal}. */
    BIGDECIMAL,
    /** {@link String}. */
    CHAR,
    /** {@link Boolean}. */
    BOOLEAN,
    /** Nanoseconds since 1970, {@link Long}. */
    TIMESTAMP,
    /** Nanoseconds, {@link Long}. */
    INTERVAL,
    /** Bytes as hexadecimal digits in lower case, {@link String}; they are equal or not. */
    BYTE,
    /** Text; no statement that reads such a column is judged by the interpreter. */
    XMLTYPE,
    /** The literal null. */
    NULL;

    boolean isNumber()
    {
        return ordinal() <= BIGDECIMAL.ordinal();
    }

    static Type wider(final Type a, final Type b)
    {
        return a.ordinal() >= b.ordinal() ? a : b;
    }

    /**
     * The type of a name as schemas write it.
     *
     * @param name name, a length in parentheses is ignored
     * @return type
     * @throws Refused when there is none
     */
    public static Type of(final String name)
    {
        final int bracket = name.indexOf('(');
        final String plain = (bracket < 0 ? name : name.substring(0, bracket)).trim().toUpperCase(Locale.ROOT);
        if (plain.equals("INTEGER"))
        {
            return INT;
        }
        for (final Type type : values())
        {
            if (type.name().equals(plain) && type != NULL)
            {
                return type;
            }
        }
        throw new Refused("unknown type " + name);
    }
}

package dev.millrace.cql.testkit.interpreter.syntax;

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
    /** Bytes as lower-case hexadecimal digits, {@link String}; only equality is defined. */
    BYTE,
    /** String; the interpreter does not evaluate statements that read such a column. */
    XMLTYPE,
    /** The literal null. */
    NULL;

    public boolean isNumber()
    {
        return ordinal() <= BIGDECIMAL.ordinal();
    }

    public static Type wider(final Type a, final Type b)
    {
        return a.ordinal() >= b.ordinal() ? a : b;
    }

    /**
     * The type of a name in a schema.
     *
     * @param name a length in parentheses is ignored
     * @throws InvalidStatementException when it does not exist
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
        throw new InvalidStatementException("unknown type " + name);
    }
}

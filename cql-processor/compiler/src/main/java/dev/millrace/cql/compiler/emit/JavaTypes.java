package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;

/** Representation of CQL types in generated code. */
public final class JavaTypes
{
    static final String DECIMAL = "java.math.BigDecimal";

    private JavaTypes()
    {
    }

    /** Type of a local variable. */
    public static String local(final CqlType type)
    {
        return switch (type)
        {
            case INT, CHAR -> "int";
            case BIGINT, TIMESTAMP, INTERVAL -> "long";
            case FLOAT -> "float";
            case DOUBLE -> "double";
            case BOOLEAN -> "boolean";
            case BIGDECIMAL -> DECIMAL;
            case BYTE, XMLTYPE, OBJECT -> "Object";
        };
    }

    /** Element type of an array that stores a column. */
    public static String element(final CqlType type)
    {
        return switch (type.storage())
        {
            case INT32, TEXT -> "int";
            case INT64 -> "long";
            case FLOAT32 -> "float";
            case FLOAT64 -> "double";
            case BIT -> "byte";
            case REFERENCE -> "Object";
        };
    }

    /** Method of batches and relations that returns the array of a column. */
    public static String accessor(final CqlType type)
    {
        return switch (type.storage())
        {
            case INT32, TEXT -> "ints";
            case INT64 -> "longs";
            case FLOAT32 -> "floats";
            case FLOAT64 -> "doubles";
            case BIT -> "bits";
            case REFERENCE -> "references";
        };
    }

    /** The value of an array element as a local. */
    public static String load(final CqlType type, final String element)
    {
        return switch (type)
        {
            case BOOLEAN -> element + " != 0";
            case BIGDECIMAL -> "(" + DECIMAL + ") " + element;
            default -> element;
        };
    }

    /** A local as an array element. */
    public static String store(final CqlType type, final String value)
    {
        return type == CqlType.BOOLEAN ? "(byte) (" + value + " ? 1 : 0)" : value;
    }

    /** Any value, for a position whose null flag is set. */
    public static String zero(final CqlType type)
    {
        return switch (type)
        {
            case INT, CHAR -> "0";
            case BIGINT, TIMESTAMP, INTERVAL -> "0L";
            case FLOAT -> "0.0F";
            case DOUBLE -> "0.0";
            case BOOLEAN -> "false";
            case BIGDECIMAL -> "(" + DECIMAL + ") null";
            case BYTE, XMLTYPE, OBJECT -> "null";
        };
    }

    /** A number as a Java literal. */
    static String number(final Number value, final CqlType type)
    {
        return switch (type)
        {
            case INT -> value.intValue() == Integer.MIN_VALUE ? "Integer.MIN_VALUE" : signed("" + value.intValue());
            case BIGINT, TIMESTAMP, INTERVAL ->
                value.longValue() == Long.MIN_VALUE ? "Long.MIN_VALUE" : signed(value.longValue() + "L");
            case FLOAT -> floating(value.floatValue());
            case DOUBLE -> floating(value.doubleValue());
            default -> throw new IllegalArgumentException("not a primitive number, type=" + type);
        };
    }

    private static String floating(final float value)
    {
        if (Float.isNaN(value))
        {
            return "Float.NaN";
        }
        if (Float.isInfinite(value))
        {
            return value > 0 ? "Float.POSITIVE_INFINITY" : "Float.NEGATIVE_INFINITY";
        }
        return signed(value + "F");
    }

    private static String floating(final double value)
    {
        if (Double.isNaN(value))
        {
            return "Double.NaN";
        }
        if (Double.isInfinite(value))
        {
            return value > 0 ? "Double.POSITIVE_INFINITY" : "Double.NEGATIVE_INFINITY";
        }
        return signed(Double.toString(value));
    }

    private static String signed(final String literal)
    {
        return literal.startsWith("-") ? "(" + literal + ")" : literal;
    }

    /** Converts a constant number to another type, by the rules of Java. */
    static Number convert(final Number value, final CqlType type)
    {
        return switch (type)
        {
            case INT -> value.intValue();
            case BIGINT, TIMESTAMP, INTERVAL -> value.longValue();
            case FLOAT -> value.floatValue();
            case DOUBLE -> value.doubleValue();
            case BIGDECIMAL -> value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
            default -> throw new IllegalArgumentException("not a number, type=" + type);
        };
    }
}

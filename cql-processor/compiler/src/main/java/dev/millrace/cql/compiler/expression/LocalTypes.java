package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;

/** Representation of CQL types in generated code where strings are String objects. */
public final class LocalTypes
{
    private LocalTypes()
    {
    }

    /** Type of a local, as source text. */
    public static String local(final CqlType type)
    {
        return switch (type)
        {
            case INT -> "int";
            case BIGINT, TIMESTAMP, INTERVAL -> "long";
            case FLOAT -> "float";
            case DOUBLE -> "double";
            case BOOLEAN -> "boolean";
            case BIGDECIMAL -> "java.math.BigDecimal";
            case CHAR, XMLTYPE -> "String";
            case BYTE -> "byte[]";
            case OBJECT -> "Object";
        };
    }

    /** Whether a type is float or double. */
    public static boolean isFloating(final CqlType type)
    {
        return type == CqlType.FLOAT || type == CqlType.DOUBLE;
    }

    /** Whether a local is a number or a boolean. */
    public static boolean isPrimitive(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, FLOAT, DOUBLE, BOOLEAN -> true;
            case BIGDECIMAL, CHAR, XMLTYPE, BYTE, OBJECT -> false;
        };
    }

    /**
     * A boxed value as a local.
     *
     * @param boxed Java expression of an object that is not null
     * @return Java expression
     */
    public static String unbox(final CqlType type, final String boxed)
    {
        return switch (type)
        {
            case INT -> "((Integer) " + boxed + ").intValue()";
            case BIGINT, TIMESTAMP, INTERVAL -> "((Long) " + boxed + ").longValue()";
            case FLOAT -> "((Float) " + boxed + ").floatValue()";
            case DOUBLE -> "((Double) " + boxed + ").doubleValue()";
            case BOOLEAN -> "((Boolean) " + boxed + ").booleanValue()";
            default -> '(' + local(type) + ") " + boxed;
        };
    }

    /**
     * Any value, for a position whose null flag is set.
     *
     * @return Java expression
     */
    public static String zero(final CqlType type)
    {
        return switch (type)
        {
            case INT -> "0";
            case BIGINT, TIMESTAMP, INTERVAL -> "0L";
            case FLOAT -> "0.0F";
            case DOUBLE -> "0.0";
            case BOOLEAN -> "false";
            default -> '(' + local(type) + ") null";
        };
    }

    /**
     * Reads a value of a row store.
     *
     * @param store  name of the store
     * @param row    name of the row
     * @param column index
     * @return Java expression
     */
    public static String load(final CqlType type, final String store, final String row, final int column)
    {
        final String arguments = '(' + row + ", " + column + ')';
        return switch (type)
        {
            case INT -> "(int) " + store + ".getLong" + arguments;
            case BIGINT, TIMESTAMP, INTERVAL -> store + ".getLong" + arguments;
            case FLOAT -> "(float) " + store + ".getDouble" + arguments;
            case DOUBLE -> store + ".getDouble" + arguments;
            case BOOLEAN -> store + ".getLong" + arguments + " != 0L";
            default -> '(' + local(type) + ") " + store + ".getReference" + arguments;
        };
    }

    /** Name of the method of a row store that sets a value. */
    public static String setter(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, BOOLEAN -> "setLong";
            case FLOAT, DOUBLE -> "setDouble";
            default -> "setReference";
        };
    }

    /** A number as a Java literal. */
    static String number(final Number value, final CqlType type)
    {
        return switch (type)
        {
            case INT -> "(int) (" + value.intValue() + "L)";
            case BIGINT, TIMESTAMP, INTERVAL ->
                value.longValue() == Long.MIN_VALUE ? "Long.MIN_VALUE" : "(" + value.longValue() + "L)";
            case FLOAT -> Float.isFinite(value.floatValue()) ? "(" + value.floatValue() + "F)" :
                "Float.intBitsToFloat(" + Float.floatToIntBits(value.floatValue()) + ')';
            case DOUBLE -> Double.isFinite(value.doubleValue()) ? "(" + value.doubleValue() + ")" :
                "Double.longBitsToDouble(" + Double.doubleToLongBits(value.doubleValue()) + "L)";
            default -> throw new IllegalArgumentException("not a primitive number, type=" + type);
        };
    }
}

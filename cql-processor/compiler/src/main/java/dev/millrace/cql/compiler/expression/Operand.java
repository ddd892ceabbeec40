package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;

/**
 * A computed value in generated code: Java expressions without side effects.
 *
 * @param value  the value; arbitrary when it is null
 * @param isNull whether it is null: {@code "false"}, {@code "true"} or a variable
 * @param type   its type
 * @param code   code of a string, 0 when it is null; {@code null} when it has no code
 * @param column for a string read directly from a batch, the arguments that locate it; otherwise {@code null}
 * @param either for a string that has a code or is a String object, the arguments that name both; otherwise
 *               {@code null}
 * @param apart  for a string that is only carried, a code that equal strings need not share; otherwise {@code null}
 */
public record Operand(
    String value, String isNull, CqlType type, String code, String column, String either, String apart)
{
    private static final String NO = "false";

    /**
     * A value for which it is known whether it has a code.
     *
     * @param value  the value; arbitrary when it is null
     * @param isNull whether it is null
     * @param code   code of a string
     * @param column for a string read directly from a batch, the arguments that locate it
     */
    public Operand(
        final String value, final String isNull, final CqlType type, final String code, final String column)
    {
        this(value, isNull, type, code, column, null, null);
    }

    /**
     * A value without a code.
     *
     * @param value  the value; arbitrary when it is null
     * @param isNull whether it is null
     */
    public Operand(final String value, final String isNull, final CqlType type)
    {
        this(value, isNull, type, null, null);
    }

    /** A value that is never null. */
    public static Operand notNull(final String value, final CqlType type)
    {
        return new Operand(value, NO, type);
    }

    /**
     * The same string, which has a code or is an object.
     *
     * @param arguments name the code, negative without one, and the String
     */
    public Operand either(final String arguments)
    {
        return new Operand(value, isNull, type, code, column, arguments, apart);
    }

    /**
     * The same string where it is only carried, so that it need not be looked up.
     *
     * @return operand; this one if the string has a code already
     */
    public Operand carried()
    {
        return column == null || apart != null ? this :
            new Operand(value, isNull, type, code, column, either, "CharColumnInput.apart(" + column + ')');
    }

    /**
     * For a string read directly from a batch: its code if it already has one.
     *
     * @return Java expression of an int, 0 for null and for a string without a code
     */
    public String known()
    {
        return "CharColumnInput.known(" + column + ')';
    }

    /** Whether it can be null. */
    public boolean canBeNull()
    {
        return !isNull.equals(NO);
    }
}

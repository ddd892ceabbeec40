package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;

/**
 * A computed value in generated text: Java expressions without side effects.
 *
 * @param value  the value; anything when it is null
 * @param isNull whether it is null: {@code "false"}, {@code "true"} or a variable
 * @param type   its type
 */
record Operand(String value, String isNull, CqlType type)
{
    private static final String NO = "false";

    static Operand notNull(final String value, final CqlType type)
    {
        return new Operand(value, NO, type);
    }

    boolean canBeNull()
    {
        return !isNull.equals(NO);
    }
}

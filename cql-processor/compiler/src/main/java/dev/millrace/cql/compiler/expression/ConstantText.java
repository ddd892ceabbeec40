package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;

/**
 * Says how the constants of a generated class are named in its text.
 *
 * <p>Used by one thread, for one class.
 */
public interface ConstantText
{
    /**
     * Text of an object.
     *
     * @param value     not {@code null}
     * @param javaClass its class as Java text
     * @return Java expression of that class
     */
    String object(Object value, String javaClass);

    /**
     * Text of a number.
     *
     * @param value not {@code null}
     * @param type  int, bigint, timestamp, interval, float or double
     * @return Java expression
     */
    default String number(final Number value, final CqlType type)
    {
        return LocalTypes.number(value, type);
    }

    /**
     * Text of the int that stands for a text, where texts have such.
     *
     * @param text not empty
     * @return Java expression of type int; {@code null} where texts are compared as Strings
     */
    default String code(final String text)
    {
        return null;
    }

    /**
     * Text of the int that stands for a string, where strings have such: one that has none yet is given one.
     *
     * @param text of type char
     * @return Java expression of type int, 0 for null; {@code null} where strings have no ints
     */
    default String taken(final Operand text)
    {
        return null;
    }

    /**
     * Writes an expression of one string so that its value is computed once for each string.
     *
     * @param expression whose value depends on nothing else
     * @param leaf       the string in it
     * @param text       its value, which has an int that stands for it
     * @param code       takes the statements
     * @return the value; {@code null} where nothing is remembered
     */
    default Operand remember(
        final Expression expression, final Expression leaf, final Operand text, final ExpressionCode code)
    {
        return null;
    }

    /**
     * A text that has a code or is there as a String, where texts have codes.
     *
     * @param code name of an int, negative when it has none; set when the code is asked for
     * @param text name of the String, {@code null} for null; anything with a code
     * @return operand; {@code null} where strings have no ints
     */
    default Operand either(final String code, final String text)
    {
        return null;
    }
}

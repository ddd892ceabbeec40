package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;

/**
 * Names the constants of a generated class in its source text.
 *
 * <p>Not thread-safe; used for one class.
 */
public interface ConstantNames
{
    /**
     * Source text of an object.
     *
     * @param value     not {@code null}
     * @param javaClass its class in source text
     * @return Java expression of that class
     */
    String object(Object value, String javaClass);

    /**
     * Source text of a number.
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
     * Source text of the code of a string constant, if strings have codes.
     *
     * @param text not empty
     * @return Java expression of type int; {@code null} when strings are compared as objects
     */
    default String code(final String text)
    {
        return null;
    }

    /**
     * Source text of the code of a string, if strings have codes; a string without a code gets one.
     *
     * @param text of type char
     * @return Java expression of type int, 0 for null; {@code null} when strings have no codes
     */
    default String taken(final Operand text)
    {
        return null;
    }

    /**
     * Writes an expression of one string so that its result is cached per string.
     *
     * @param expression depends on nothing else
     * @param leaf       the string in it
     * @param text       its value, which has a code
     * @param code       receives the statements
     * @return the value; {@code null} when nothing is cached
     */
    default Operand remember(
        final Expression expression, final Expression leaf, final Operand text, final ExpressionCode code)
    {
        return null;
    }

    /**
     * A string that has a code or is an object, if strings have codes.
     *
     * @param code name of an int, negative for a string without a code; set when the code is requested
     * @param text name of the String, {@code null} for null; ignored with a code
     * @return {@code null} when strings have no codes
     */
    default Operand either(final String code, final String text)
    {
        return null;
    }
}

package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.flow.FunctionCaller;
import java.util.regex.Pattern;

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
     * Text of a call of a function of one text that remembers what it has given for an int that stands for a text.
     *
     * @param caller calls the function, whose result is a text and depends on the argument alone
     * @param name   of the function
     * @param code   Java expression of the int; 0 gives 0
     * @return Java expression of the int that stands for the result; {@code null} where nothing is remembered
     */
    default String function(final FunctionCaller caller, final String name, final String code)
    {
        return null;
    }

    /**
     * Text of a test of a text that remembers what it has found for an int that stands for a text.
     *
     * @param code    Java expression of that int
     * @param pattern what is looked for
     * @return Java condition; {@code null} where nothing is remembered
     */
    default String like(final String code, final Pattern pattern)
    {
        return null;
    }
}

package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Layout of a stored window row: a word with a number and a bit for each argument that has a value, then a word per
 * argument, zero when it has no value, so that a row is subtracted without tests.
 */
final class WindowRowLayout
{
    /** Words before those of the arguments. */
    static final int FIXED_WORDS = 1;

    private final List<Expression> arguments;

    WindowRowLayout(final List<Expression> arguments)
    {
        this.arguments = List.copyOf(arguments);
    }

    int words()
    {
        return FIXED_WORDS + arguments.size();
    }

    static boolean isFloating(final Expression argument)
    {
        return argument.type() == CqlType.DOUBLE || argument.type() == CqlType.FLOAT;
    }

    private static int bit(final int argument)
    {
        return Integer.SIZE + argument;
    }

    /** The type of an argument's value. */
    static String type(final Expression argument)
    {
        return isFloating(argument) ? "double" : "long";
    }

    /**
     * Reads the row at an index: the local {@code mark}, whose lower half is the number, and the values to subtract.
     */
    List<ArgumentValue> writeRead(final JavaText body, final String array, final String at)
    {
        body.line("final long mark = " + array + '[' + at + "];");
        final List<ArgumentValue> values = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++)
        {
            final String word = array + '[' + at + " + " + (FIXED_WORDS + i) + ']';
            body.line("final " + type(arguments.get(i)) + " g" + i + " = " +
                (isFloating(arguments.get(i)) ? "Double.longBitsToDouble(" + word + ')' : word) + ';');
            values.add(new ArgumentValue("g" + i, null, "(mark >>> " + bit(i) + " & 1L)"));
        }
        return values;
    }

    /** Stores a row at an index, with a non-negative number. */
    void writeKeep(final JavaText body, final String array, final String at, final String number,
        final List<ArgumentValue> values)
    {
        long always = 0;
        final StringBuilder mark = new StringBuilder();
        for (int i = 0; i < values.size(); i++)
        {
            final ArgumentValue value = values.get(i);
            if (value.isNull() == null)
            {
                always |= 1L << bit(i);
            }
            else
            {
                mark.append(" | (").append(value.isNull()).append(" ? 0L : ").append(1L << bit(i)).append("L)");
            }
            body.line(array + '[' + at + " + " + (FIXED_WORDS + i) + "] = " + (isFloating(arguments.get(i)) ?
                "Double.doubleToRawLongBits(" + value.orZero("0.0") + ')' : value.orZero("0L")) + ';');
        }
        body.line(array + '[' + at + "] = " + number + " | " + always + 'L' + mark + ';');
    }
}

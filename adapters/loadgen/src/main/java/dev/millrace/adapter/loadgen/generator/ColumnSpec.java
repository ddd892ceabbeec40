package dev.millrace.adapter.loadgen.generator;

import java.util.List;

/**
 * How the values of a column are generated, as written in the assembly file. Immutable.
 *
 * @param name      of the property
 * @param function  name of the function, such as {@code uniform}
 * @param arguments of the function
 */
record ColumnSpec(String name, String function, List<Argument> arguments)
{
    /**
     * An argument.
     *
     * @param text     without quotes
     * @param isQuoted whether it had quotes
     * @param weight   of a choice, at least 1
     */
    record Argument(String text, boolean isQuoted, long weight)
    {
        /** Whether the value null is meant. */
        boolean isNull()
        {
            return !isQuoted && text.equals("null");
        }
    }

    ColumnSpec
    {
        arguments = List.copyOf(arguments);
    }

    /** A specification with plain arguments. */
    static ColumnSpec of(final String name, final String function, final String... arguments)
    {
        return new ColumnSpec(name, function,
            List.of(arguments).stream().map(text -> new Argument(text, true, 1)).toList());
    }
}

package dev.millrace.cql.compiler.expression;

import java.util.ArrayList;
import java.util.List;

/** Constants in a static array {@code CONSTANTS} of the generated class. Used by one thread, for one class. */
public final class StaticConstants implements ConstantText
{
    private final List<Object> values = new ArrayList<>();

    @Override
    public String object(final Object value, final String javaClass)
    {
        values.add(value);
        return "((" + javaClass + ") CONSTANTS[" + (values.size() - 1) + "])";
    }

    /**
     * What the array holds.
     *
     * @return new array
     */
    public Object[] toArray()
    {
        return values.toArray();
    }
}

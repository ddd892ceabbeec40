package dev.millrace.cql.compiler.expression;

import java.util.ArrayList;
import java.util.List;

/** Constants in a static array {@code CONSTANTS} of the generated class. Not thread-safe; used for one class. */
public final class StaticConstants implements ConstantText
{
    private final List<Object> values = new ArrayList<>();

    @Override
    public String object(final Object value, final String javaClass)
    {
        values.add(value);
        return "((" + javaClass + ") CONSTANTS[" + (values.size() - 1) + "])";
    }

    /** The content of the array, as a new array. */
    public Object[] toArray()
    {
        return values.toArray();
    }
}

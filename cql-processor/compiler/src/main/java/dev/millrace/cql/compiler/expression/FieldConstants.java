package dev.millrace.cql.compiler.expression;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Constants in final fields of the generated class, which its constructor sets from an array {@code constants}. Classes
 * whose constants differ only in their values have equal source text.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class FieldConstants implements ConstantNames
{
    private final StringBuilder fields = new StringBuilder();
    private final StringBuilder statements = new StringBuilder();
    private final List<Object> values = new ArrayList<>();
    private final Map<List<Object>, String> numbers = new HashMap<>();

    @Override
    public String object(final Object value, final String javaClass)
    {
        final String name = name();
        field(javaClass, name, value);
        return name;
    }

    @Override
    public String number(final Number value, final CqlType type)
    {
        final String local = LocalTypes.local(type);
        return numbers.computeIfAbsent(List.of(local, value), key ->
        {
            final String name = name();
            declare(local, name, "((Number) " + add(value) + ")." + local + "Value()");
            return name;
        });
    }

    /** Adds a field with a unique name. */
    public void field(final String javaClass, final String name, final Object value)
    {
        declare(javaClass, name, element(value, javaClass));
    }

    private void declare(final String javaClass, final String name, final String value)
    {
        fields.append("  private final ").append(javaClass).append(' ').append(name).append(";\n");
        statements.append("    ").append(name).append(" = ").append(value).append(";\n");
    }

    /** Source text of an object where there are no fields yet: in arguments of the constructor of the base class. */
    public String element(final Object value, final String javaClass)
    {
        return "(" + javaClass + ") " + add(value);
    }

    private String add(final Object value)
    {
        values.add(value);
        return "constants[" + (values.size() - 1) + ']';
    }

    private String name()
    {
        return "constant" + values.size();
    }

    /** Declarations of the fields. */
    public String fields()
    {
        return fields.toString();
    }

    /** Statements of the constructor. */
    public String statements()
    {
        return statements.toString();
    }

    /** The content of the array, as a new array. */
    public Object[] toArray()
    {
        return values.toArray();
    }
}

package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ConstantNames;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LeafText;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.TermMethods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The source text of a class: fields, constructor, methods. Constants of the plan are final fields, so that plans which
 * are equal except for literals have the same text.
 *
 * <p>Not thread-safe; used for one class.
 */
abstract class ClassSource implements ConstantNames
{
    private final StringBuilder fields = new StringBuilder();
    private final StringBuilder constructor = new StringBuilder();
    private final StringBuilder methods = new StringBuilder();
    private final List<TermMethods> terms = new ArrayList<>();
    private final List<Object> constants = new ArrayList<>();
    private final Map<Object, String> names = new HashMap<>();
    private int count;

    /** A unique name in the class. */
    public String name(final String prefix)
    {
        return prefix + count++;
    }

    /** Declares a field that is not state: one that is lent, derived from other fields, or a cache. */
    public void scratch(final String type, final String name)
    {
        fields.append("  private ").append(type).append(' ').append(name).append(";\n");
    }

    /** Declares a field that is not state, with an initial value. */
    public void scratch(final String type, final String name, final String value)
    {
        scratch(type, name);
        constructor.append("    ").append(name).append(" = ").append(value).append(";\n");
    }

    /** Adds a statement to the constructor. */
    public void construct(final String statement)
    {
        constructor.append("    ").append(statement).append('\n');
    }

    public void method(final String heading, final ExpressionCode body)
    {
        method(heading, body.text());
    }

    public void method(final String heading, final String body)
    {
        methods.append("  ").append(heading).append(" {\n").append(body).append("  }\n");
    }

    /**
     * A writer for the body of a method.
     *
     * @param leaves     reads columns
     * @param parameters of the method, from which leaves are read
     * @param arguments  their names
     */
    public ExpressionCode body(final LeafText leaves, final String parameters, final String arguments)
    {
        final TermMethods parts = new TermMethods(name("terms") + '_', "private", parameters, arguments);
        terms.add(parts);
        return new ExpressionCode(this, leaves, parts);
    }

    /** A writer for the body of a method without expressions. */
    public ExpressionCode body()
    {
        return body((leaf, code) ->
        {
            throw new IllegalStateException("a body without columns has a leaf, leaf=" + leaf);
        }, "", "");
    }

    /** A final field with a constant. */
    final String constant(final Object value, final String type, final String fromObject)
    {
        return names.computeIfAbsent(List.of(type, value instanceof Number ? value : new Identity(value)), key ->
        {
            final String name = name("k");
            final String of = "constants[" + constants.size() + ']';
            constants.add(value);
            scratch("final " + type, name, fromObject.replace("@", of));
            return name;
        });
    }

    /** Compares constants other than numbers by identity, even when they are equal. */
    private record Identity(Object value)
    {
        @Override
        public boolean equals(final Object other)
        {
            return other instanceof Identity identity && identity.value == value;
        }

        @Override
        public int hashCode()
        {
            return System.identityHashCode(value);
        }
    }

    @Override
    public String object(final Object value, final String javaClass)
    {
        return constant(value, javaClass, '(' + javaClass + ") @");
    }

    @Override
    public String number(final Number value, final CqlType type)
    {
        final String local = LocalTypes.local(type);
        return constant(value, local, "((Number) @)." + local + "Value()");
    }

    @Override
    public String code(final String text)
    {
        return constant(text, "int", "constantCode((String) @)");
    }

    @Override
    public String taken(final Operand text)
    {
        return keptCode(text);
    }

    @Override
    public Operand either(final String code, final String text)
    {
        final String isKnown = '(' + code + " >= 0 ? ";
        return new Operand(isKnown + "strings.of(" + code + ") : " + text + ')', isKnown + code + " == 0 : " + text +
            " == null)", CqlType.CHAR, isKnown + code + " : (" + code + " = code(" + text + ")))", null)
            .either(code + ", " + text);
    }

    /** Code of a string that state will store: the only location where state adds strings to the table. */
    public String keptCode(final Operand text)
    {
        if (text.code() != null)
        {
            return text.code();
        }
        return "code(" + (text.canBeNull() ? text.isNull() + " ? null : " + text.value() : text.value()) + ')';
    }

    /** The constants passed to each instance, in the order of the source text. */
    public Object[] constants()
    {
        return constants.toArray();
    }

    /**
     * The members of the class.
     *
     * @param opening beginning of the constructor
     */
    final String members(final String opening)
    {
        final StringBuilder text = new StringBuilder(fields);
        text.append(opening).append(constructor).append("  }\n").append(methods);
        terms.forEach(each -> text.append(each.text()));
        return text.toString();
    }
}

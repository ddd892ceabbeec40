package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.emit.ImportDeclarations;
import dev.millrace.cql.compiler.expression.ConstantNames;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LeafText;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.runtime.IdleStateSweeper;
import dev.millrace.cql.runtime.flow.PeriodMath;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.function.FunctionCaller;
import dev.millrace.cql.runtime.function.Values;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateField;
import dev.millrace.cql.runtime.unit.Unit;
import dev.millrace.cql.runtime.unit.UnitConstant;
import dev.millrace.cql.runtime.unit.aggregate.NumberSum;
import dev.millrace.cql.runtime.unit.string.CharColumnInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The source text of a unit's class while operators write to it: fields, constructor, methods. Constants of the plan
 * are final fields, so that plans which are equal except for literals have the same text.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class UnitSource implements ConstantNames
{
    private static final Set<String> NUMBERS = Set.of("int", "long", "int[]", "long[]");

    private final StringBuilder fields = new StringBuilder();
    private final StringBuilder constructor = new StringBuilder();
    private final StringBuilder methods = new StringBuilder();
    private final List<StateField> states = new ArrayList<>();
    private final List<TermMethods> terms = new ArrayList<>();
    private final List<Object> constants = new ArrayList<>();
    private final Map<Object, String> names = new HashMap<>();
    /** Java variables whose strings are taken over by the state that stores them. */
    private final Set<String> handedOver = new HashSet<>();
    private final CachedStringExpressions remembered = new CachedStringExpressions(this);
    private int count;

    /** A unique name in the class. */
    public String name(final String prefix)
    {
        return prefix + count++;
    }

    /**
     * Declares a field that is state. Fields of ints or longs without codes are declared with {@link #numbers} instead.
     */
    public void field(final String type, final String name)
    {
        checkMeaning(type, name);
        scratch(type, name);
        states.add(new StateField.Plain(name));
    }

    /** Declares a field that is state, like {@link #field(String, String)}, with an initial value. */
    public void field(final String type, final String name, final String value)
    {
        checkMeaning(type, name);
        scratch(type, name, value);
        states.add(new StateField.Plain(name));
    }

    private static void checkMeaning(final String type, final String name)
    {
        if (NUMBERS.contains(type))
        {
            throw new IllegalStateException("a field of ints or longs must be declared free of string codes: " +
                "declare it with numbers, or store codes in columns of a ring or in a part, field=" + name);
        }
    }

    /**
     * Declares a field of ints or longs that is state and never contains string codes, which have no meaning for an
     * engine that reads them: times, counts, positions, ids of keys.
     */
    public void numbers(final String type, final String name)
    {
        scratch(type, name);
        states.add(new StateField.Plain(name));
    }

    /** Declares a field like {@link #numbers(String, String)}, with an initial value. */
    public void numbers(final String type, final String name, final String value)
    {
        scratch(type, name, value);
        states.add(new StateField.Plain(name));
    }

    /** Declares a field for a value of a type; a string is stored as an object. */
    public void value(final CqlType type, final String name)
    {
        scratch(LocalTypes.local(type), name);
        states.add(new StateField.Plain(name));
    }

    /** Declares how fields are written that are not written as they are. */
    public void state(final StateField of)
    {
        states.add(of);
    }

    /** The fields that are state, in the order in which they are written. */
    public List<StateField> states()
    {
        return states;
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
    private String constant(final Object value, final String type, final String fromObject)
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

    /** Source text of a constant of a Java class that is bound when a unit is created. */
    public String bound(final UnitConstant constant, final String javaClass)
    {
        return constant(constant, javaClass, '(' + javaClass + ") @");
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
    public Operand remember(final Expression expression, final Expression leaf, final Operand text,
        final ExpressionCode code)
    {
        return remembered.write(expression, leaf, text, code);
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

    /**
     * Writes the look-up of a text that state will store, before the row changes any state: a row that is rejected
     * because its text gets no code leaves nothing behind. {@link #keptCode} finds the same code afterwards.
     */
    public void lookUp(final ExpressionCode code, final Operand text)
    {
        if (text.type() == CqlType.CHAR && (text.code() == null || text.column() != null || text.either() != null))
        {
            code.line("final int " + code.name("c") + " = " + keptCode(text) + ';');
        }
    }

    /** Text of a code by which state that only carries a text keeps it. */
    public String carriedCode(final Operand text)
    {
        final Operand carried = text.carried();
        return carried.apart() != null ? carried.apart() : keptCode(text);
    }

    /** Declares that whoever stores the string of a Java variable takes it over from the row that has retained it. */
    public void handOver(final String variable)
    {
        handedOver.add(variable);
    }

    /** Whether a Java expression is a variable whose string is taken over. */
    public boolean isHandedOver(final String code)
    {
        return handedOver.contains(code);
    }

    /** A string that state carries, by a code that equal strings need not share. */
    public static Operand ofCarried(final String code)
    {
        return new Operand("strings.of(" + code + ')', '(' + code + " == 0)", CqlType.CHAR,
            "unitStrings.shared(" + code + ')', null, null, code);
    }

    /** A string that state has stored, by its code. */
    public static Operand ofCode(final String code)
    {
        return new Operand("strings.of(" + code + ')', '(' + code + " == 0)", CqlType.CHAR, code, null);
    }

    /** The constants passed to each instance, in the order of the source text. */
    public Object[] constants()
    {
        return constants.toArray();
    }

    /** The whole class. */
    public String javaText(final String packageName, final String className)
    {
        final StringBuilder text = new StringBuilder();
        text.append("package ").append(packageName).append(";\n");
        text.append(ImportDeclarations.of(EventBatch.class, MemoryAccount.class, StringTable.class,
            IdleStateSweeper.class, FunctionCaller.class, PartitionPredicate.class, QueryOutput.class,
            RowRejectedException.class, PeriodMath.class, Values.class));
        text.append(ImportDeclarations.ofPackages(Unit.class, NumberSum.class, CharColumnInput.class));
        text.append("public final class ").append(className).append(" extends Unit {\n").append(fields)
            .append("  public ").append(className)
            .append("(final QueryOutput[] outputs, final int maxRows, final MemoryAccount memory, "
                + "final StringTable codes, final long idleNs, final Object[] constants) {\n")
            .append("    super(outputs, maxRows, memory, codes);\n").append(constructor)
            .append("  }\n").append(methods);
        terms.forEach(each -> text.append(each.text()));
        return text.append("}\n").toString();
    }
}

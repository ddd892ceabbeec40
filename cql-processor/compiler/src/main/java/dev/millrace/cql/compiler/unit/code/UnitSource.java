package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.compiler.emit.ImportDeclarations;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The source text of a unit's class while operators write to it: which fields are state and how they are written, and
 * the strings that state stores.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class UnitSource extends ClassSource
{
    private static final Set<String> NUMBERS = Set.of("int", "long", "int[]", "long[]");

    private final List<StateField> states = new ArrayList<>();
    /** Java variables whose strings are taken over by the state that stores them. */
    private final Set<String> handedOver = new HashSet<>();
    private final CachedStringExpressions remembered = new CachedStringExpressions(this);

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

    /** Source text of a constant of a Java class that is bound when a unit is created. */
    public String bound(final UnitConstant constant, final String javaClass)
    {
        return constant(constant, javaClass, '(' + javaClass + ") @");
    }

    @Override
    public Operand remember(final Expression expression, final Expression leaf, final Operand text,
        final ExpressionCode code)
    {
        return remembered.write(expression, leaf, text, code);
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

    /** The whole class. */
    public String javaText(final String packageName, final String className)
    {
        final StringBuilder text = new StringBuilder();
        text.append("package ").append(packageName).append(";\n");
        text.append(ImportDeclarations.of(EventBatch.class, MemoryAccount.class, StringTable.class,
            IdleStateSweeper.class, FunctionCaller.class, PartitionPredicate.class, QueryOutput.class,
            RowRejectedException.class, PeriodMath.class, Values.class));
        text.append(ImportDeclarations.ofPackages(Unit.class, NumberSum.class, CharColumnInput.class));
        text.append("public final class ").append(className).append(" extends Unit {\n").append(members("  public " +
            className + "(final QueryOutput[] outputs, final int maxRows, final MemoryAccount memory, " +
            "final StringTable codes, final long idleNs, final Object[] constants) {\n" +
            "    super(outputs, maxRows, memory, codes);\n"));
        return text.append("}\n").toString();
    }
}

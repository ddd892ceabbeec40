package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * State shared by all operator generators of a class: its fields, its constructor and its constants. User input (names,
 * literals) reaches the class only as constants, never as code.
 */
public final class ClassContext
{
    /** Index of the constant with the minimum number of rows for a batch to be processed operator by operator. */
    public static final int SCALAR_ROWS = 2;

    private final int maxKeys;
    private final JavaText fields = new JavaText(1);
    private final JavaText constructor = new JavaText(2);
    private final List<Object> constants = new ArrayList<>();
    private final Map<String, String> known = new LinkedHashMap<>();
    private final List<String> outputIds = new ArrayList<>();
    private final List<String> stateNames = new ArrayList<>();
    private final BitSet columns = new BitSet();
    private final BitSet coded = new BitSet();
    private final List<String> kept = new ArrayList<>();

    public ClassContext(final int maxKeys, final int scalarRows)
    {
        this.maxKeys = maxKeys;
        constants.add(null);
        constants.add(null);
        constants.add(scalarRows);
    }

    /** Maximum number of partitions or groups of an operator whose key is a number or several columns. */
    int maxKeys()
    {
        return maxKeys;
    }

    public void field(final String declaration)
    {
        fields.line("private " + declaration + ';');
    }

    public JavaText constructor()
    {
        return constructor;
    }

    public JavaText fields()
    {
        return fields;
    }

    /** An array field with the length of a batch; declared once. */
    public String scratch(final String name, final String elementType)
    {
        if (known.putIfAbsent("scratch " + name, name) == null)
        {
            field("final " + elementType + "[] " + name + " = new " + elementType + "[EventBatch.CAPACITY]");
        }
        return name;
    }

    /** Index of an output's counter. */
    public int output(final String queryId)
    {
        outputIds.add(queryId);
        return outputIds.size() - 1;
    }

    /** Index of the counter of a size of state. */
    public int state(final String name)
    {
        stateNames.add(name);
        return stateNames.size() - 1;
    }

    /** Code of a constant of a reference type in the constructor. */
    public String constant(final Object value, final String type)
    {
        constants.add(value);
        return "(" + type + ") constants[" + (constants.size() - 1) + "]";
    }

    /** A field with a string, for messages. */
    public String text(final String value)
    {
        return constantField("text " + value, "String", () -> constant(value, "String"));
    }

    /** A field with a number of the plan: plans with other numbers have the same text. */
    public String number(final Number value, final CqlType type)
    {
        final String local = JavaTypes.local(type);
        return constantField("number " + local + ' ' + value, local,
            () -> "(" + constant(value, "Number") + ")." + local + "Value()");
    }

    /** A field with the bits of a number of the plan. */
    String bits(final long bits)
    {
        return number(bits, CqlType.BIGINT);
    }

    /** A field with a decimal number. */
    String decimal(final java.math.BigDecimal value)
    {
        return constantField("decimal " + value, JavaTypes.DECIMAL, () -> constant(value, JavaTypes.DECIMAL));
    }

    /** A field with any other object. */
    String object(final Object value)
    {
        return constantField("object " + constants.size(), "Object", () -> constant(value, "Object"));
    }

    /** A field with the table of the strings that state refers to. */
    public String strings()
    {
        if (known.putIfAbsent("strings", "strings") == null)
        {
            field("final StringTable strings");
            constructor.line("strings = kept(bindings.strings());");
        }
        return "strings";
    }

    /** Whether there is a string table. */
    public boolean hasStrings()
    {
        return known.containsKey("strings");
    }

    /** A field that reads a char column of the input as codes of {@link #strings}. */
    public String column(final int column)
    {
        final String name = "column" + column;
        if (known.putIfAbsent("column " + column, name) == null)
        {
            field("final CharColumnEncoder " + name);
            constructor.line(name + " = new CharColumnEncoder(" + column + ", " + strings() + ");");
            columns.set(column);
        }
        return name;
    }

    /** A field like {@link #column}, for a column whose strings all get codes before a batch is processed. */
    public String coded(final int column)
    {
        coded.set(column);
        return column(column);
    }

    /** Char columns of the input that are read as codes; complete once the bodies are written. */
    public BitSet columns()
    {
        return columns;
    }

    /** Those of {@link #columns} that are coded first. */
    public BitSet coded()
    {
        return coded;
    }

    /**
     * Declares that arrays of state are indexed by code: adds the method or code that tests whether there is an entry
     * for {@code code}.
     */
    public void keep(final String hasState)
    {
        strings();
        kept.add(hasState);
    }

    /** Code for "arrays of state have an entry for {@code code}"; {@code null} when none is indexed by code. */
    public String keeps()
    {
        return kept.isEmpty() ? null : String.join(" || ", kept);
    }

    /** A field with the code of a char literal. */
    String literal(final String value)
    {
        final String strings = strings();
        return constantField("literal " + value, "int", () -> strings + ".literal(" + constant(value, "String") + ")");
    }

    private String constantField(final String key, final String type, final java.util.function.Supplier<String> init)
    {
        final String existing = known.get(key);
        if (existing != null)
        {
            return existing;
        }
        final String name = "constant" + (known.size() + 1);
        known.put(key, name);
        field("final " + type + ' ' + name);
        constructor.line(name + " = " + init.get() + ';');
        return name;
    }

    public Object[] constants()
    {
        constants.set(0, outputIds.toArray(new String[0]));
        constants.set(1, stateNames.toArray(new String[0]));
        return constants.toArray();
    }

    /** Creates an exception for a plan that cannot be compiled. */
    public static PlanNotSupportedException unsupported(final PlanNode node, final String what, final String next)
    {
        return new PlanNotSupportedException(
            "CQL-0901", what + " cannot be compiled yet, " + node.describe() + "; " + next);
    }

    static String supportedTypes(final CqlType type)
    {
        return "columns of type " + type.cqlName() + " can be copied and tested for null; convert it before or leave " +
            "the expression out";
    }
}

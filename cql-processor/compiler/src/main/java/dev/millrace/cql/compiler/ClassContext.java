package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all stages of a generated class share: its fields, its constructor and its constants. Text of users (names,
 * literals) reaches the class as constants only, never as code.
 */
final class ClassContext
{
    /** Place among the constants of how many rows a batch must have to go operator by operator. */
    static final int SCALAR_ROWS = 2;

    private final PlanAnalysis analysis;
    private final int maxKeys;
    private final boolean shared;
    private final JavaText fields = new JavaText(1);
    private final JavaText constructor = new JavaText(2);
    private final List<Object> constants = new ArrayList<>();
    private final Map<String, String> known = new LinkedHashMap<>();
    private final List<String> outputIds = new ArrayList<>();
    private final List<String> stateNames = new ArrayList<>();

    ClassContext(final PlanAnalysis analysis, final int maxKeys, final int scalarRows, final boolean shared)
    {
        this.shared = shared;
        this.analysis = analysis;
        this.maxKeys = maxKeys;
        constants.add(null);
        constants.add(null);
        constants.add(scalarRows);
    }

    /** How many partitions or groups an operator keeps whose keys no dictionary bounds. */
    int maxKeys()
    {
        return maxKeys;
    }

    void field(final String declaration)
    {
        fields.line("private " + declaration + ';');
    }

    JavaText constructor()
    {
        return constructor;
    }

    JavaText fields()
    {
        return fields;
    }

    /** An array field as long as a batch; declared once. */
    String scratch(final String name, final String elementType)
    {
        if (known.putIfAbsent("scratch " + name, name) == null)
        {
            field("final " + elementType + "[] " + name + " = new " + elementType + "[EventBatch.CAPACITY]");
        }
        return name;
    }

    /** Place of an output's counter. */
    int output(final String queryId)
    {
        outputIds.add(queryId);
        return outputIds.size() - 1;
    }

    /** Place of the counter of a size of state. */
    int state(final String name)
    {
        stateNames.add(name);
        return stateNames.size() - 1;
    }

    /** Code of a constant of reference type in the constructor. */
    String constant(final Object value, final String type)
    {
        constants.add(value);
        return "(" + type + ") constants[" + (constants.size() - 1) + "]";
    }

    /** A field that holds a text, for messages. */
    String text(final String value)
    {
        return constantField("text " + value, "String", () -> constant(value, "String"));
    }

    /** A name for comments; classes that are shared name nobody. */
    String nameOf(final String id)
    {
        return shared ? "of many" : JavaText.comment(id);
    }

    /** Code of a number: a literal, or a field where the class is shared by plans with other numbers. */
    String number(final Number value, final CqlType type)
    {
        final String local = JavaTypes.local(type);
        return !shared ? JavaTypes.number(value, type) : constantField("number " + local + ' ' + value, local,
            () -> "(" + constant(value, "Number") + ")." + local + "Value()");
    }

    /** Code of the bits of a number; what they mean is said where the class is not shared. */
    String bits(final long bits, final String meaning)
    {
        final String code = number(bits, CqlType.BIGINT);
        return shared ? code : code + " /* " + meaning + " */";
    }

    /** A field that holds a decimal number. */
    String decimal(final java.math.BigDecimal value)
    {
        return constantField("decimal " + value, JavaTypes.DECIMAL, () -> constant(value, JavaTypes.DECIMAL));
    }

    /** A field that holds any other object. */
    String object(final Object value)
    {
        return constantField("object " + constants.size(), "Object", () -> constant(value, "Object"));
    }

    /** Whether the values of a char domain are only carried, see {@link PlanAnalysis#isCarried}. */
    boolean isCarried(final int domainNode)
    {
        return analysis.isCarried(domainNode);
    }

    /** A field that holds the dictionary of a char domain. */
    String dictionary(final int domainNode)
    {
        final int root = analysis.root(domainNode);
        return constantField("domain " + root, "Dictionary",
            () -> "domain(bindings, " + constant(analysis.members(root), "DictionaryColumn[]") + ")");
    }

    /** A field that holds the id of a char literal. */
    String literal(final int domainNode, final String value)
    {
        final String dictionary = dictionary(domainNode);
        return constantField("literal " + dictionary + ' ' + value, "int",
            () -> "literal(" + dictionary + ", " + constant(value, "String") + ")");
    }

    private String constantField(final String key, final String type, final java.util.function.Supplier<String> init)
    {
        final String existing = known.get(key);
        if (existing != null)
        {
            return existing;
        }
        final String name = (type.equals("Dictionary") ? "dictionary" : "constant") + (known.size() + 1);
        known.put(key, name);
        field("final " + type + ' ' + name);
        constructor.line(name + " = " + init.get() + ';');
        return name;
    }

    Object[] constants()
    {
        constants.set(0, outputIds.toArray(new String[0]));
        constants.set(1, stateNames.toArray(new String[0]));
        return constants.toArray();
    }

    /** Refuses what has no code yet. */
    static PlanNotSupportedException unsupported(final PlanNode node, final String what, final String next)
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

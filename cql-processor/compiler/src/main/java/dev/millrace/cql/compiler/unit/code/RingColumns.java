package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.runtime.state.StateField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a ring that store operands of a row: an array each, and one for the null flags of 64 operands.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RingColumns
{
    /** Bytes of a row in an object with its own columns: a value and up to three links. */
    private static final int OBJECT_BYTES = 20;

    private final UnitSource unit;
    private final String ring;
    private final List<String> arrays = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private final List<String> objects = new ArrayList<>();
    /** Arrays of string codes. */
    private final Set<String> texts = new HashSet<>();
    /** Those of them whose strings are only carried. */
    private final Set<String> carried = new HashSet<>();

    public RingColumns(final UnitSource unit, final String ring)
    {
        this.unit = unit;
        this.ring = ring;
    }

    /** Adds a column of primitives that are not string codes: times, positions, ids of keys, flags. */
    public String addNumbers(final String type)
    {
        return add(type);
    }

    private String add(final String type)
    {
        final String name = unit.name(ring + 'c');
        unit.scratch(type + "[]", name, "new " + type + "[RingArrays.FEWEST]");
        arrays.add(name);
        types.add(type);
        return name;
    }

    /** Adds a column for values of a type. */
    public String add(final CqlType type)
    {
        final String name = add(type == CqlType.CHAR ? "int" : RowWords.has(type) ? LocalTypes.local(type) : "Object");
        if (type == CqlType.CHAR)
        {
            texts.add(name);
        }
        return name;
    }

    /** Adds a column for strings that are only carried. */
    public String addCarried()
    {
        final String name = add(CqlType.CHAR);
        carried.add(name);
        return name;
    }

    /** Whether any column is for strings that are only carried. */
    public boolean carriesTexts()
    {
        return !carried.isEmpty();
    }

    /** Whether a column is for strings that are only carried. */
    public boolean isCarried(final String array)
    {
        return carried.contains(array);
    }

    /** A text in a column of such, by the Java expression of its code. */
    public Operand read(final String array, final String code)
    {
        return carried.contains(array) ? UnitSource.ofCarried(code) : UnitSource.ofCode(code);
    }

    /**
     * Writes the statement that keeps a value in a column of its type. A text is kept by its code.
     *
     * @param holds receives statements that hold strings. The caller writes them last: when the table has no code for a
     *              string, the row is rejected before it holds another one
     */
    public void keep(final ExpressionCode code, final String array, final Operand value, final String index,
        final List<String> holds)
    {
        final String at = array + '[' + index + "] = ";
        if (value.type() != CqlType.CHAR)
        {
            code.line(at + value.value() + ';');
        }
        else if (!texts.contains(array))
        {
            throw new IllegalStateException("a column of numbers cannot store a string, column=" + array);
        }
        else
        {
            final String text = carried.contains(array) ? unit.carriedCode(value) : unit.keptCode(value);
            if (unit.isHandedOver(text))
            {
                holds.add(at + text + "; " + text + " = 0;");
            }
            else
            {
                final String held = unit.name("held");
                code.line("final int " + held + " = " + text + ';');
                holds.add(at + "unitStrings.hold(" + held + ");");
            }
        }
    }

    /** Declares that the reader of the row at the index {@code p} takes over the strings that are retained for it. */
    public void handOver()
    {
        texts.forEach(array -> unit.handOver(array + "[p]"));
    }

    /** Java expression of the capacity of the columns, a power of two. */
    public String length()
    {
        return arrays.get(0) + ".length";
    }

    /** Local variable with the position of the row that enters or leaves. */
    public String position()
    {
        return ring + "id";
    }

    /** Adds an object with its own columns, which grows with the ring. */
    public String addObject(final String type)
    {
        final String name = unit.name(ring + 'q');
        addObject(type, name);
        return name;
    }

    /** Adds an object with its own columns and a given name. */
    public void addObject(final String type, final String name)
    {
        unit.scratch("final " + type, name, "new " + type + "()");
        objects.add(name);
    }

    /** Bytes per row, without the values that it refers to. */
    private int rowBytes()
    {
        return types.stream().mapToInt(type -> switch (type)
        {
            case "boolean", "byte" -> 1;
            case "int", "float", "Object" -> Integer.BYTES;
            default -> Long.BYTES;
        }).sum() + objects.size() * OBJECT_BYTES;
    }

    /**
     * Writes a method that doubles the length of all columns, and returns false when memory is short.
     *
     * @param head Java expression of the position of the oldest row
     * @param tail Java expression of the position after the last one
     */
    public void writeGrow(final String method, final String head, final String tail)
    {
        final ExpressionCode code = unit.body();
        code.line("final long bytes = " + rowBytes() + "L * " + length() + ';');
        code.line("if (!memory.reserve(2 * bytes)) return false;");
        code.line("if (" + length() + " > RingArrays.FEWEST) memory.release(bytes);");
        objects.forEach(name -> code.line(name + ".grow(" + head + ", " + tail + ");"));
        for (int i = 0; i < arrays.size(); i++)
        {
            code.line(arrays.get(i) + " = (" + types.get(i) + "[]) RingArrays.grown(" + arrays.get(i) + ", " + head +
                ", " +
                tail + ");");
        }
        code.line("return true;");
        unit.method("private boolean " + method + "()", code);
    }

    /**
     * Writes statements that store operands.
     *
     * @param index Java expression of the index
     * @return the same operands as they are read at the index {@code p}
     */
    public List<Operand> keep(final ExpressionCode code, final List<Operand> operands, final String index)
    {
        final List<Operand> kept = new ArrayList<>();
        final List<String> holds = new ArrayList<>();
        final List<String> nulls = new ArrayList<>();
        final List<String> flags = new ArrayList<>();
        final long nullable = operands.stream().filter(each -> each.type() != CqlType.CHAR && each.canBeNull()).count();
        for (long i = 0; i < nullable; i += Long.SIZE)
        {
            flags.add(addNumbers("long"));
        }
        for (final Operand operand : operands)
        {
            kept.add(keep(code, operand, index, flags, nulls, holds));
        }
        for (int i = 0; i < flags.size(); i++)
        {
            code.line(flags.get(i) + '[' + index + "] = " + String.join(" | ",
                nulls.subList(i * Long.SIZE, Math.min(nulls.size(), (i + 1) * Long.SIZE))) + ';');
        }
        holds.forEach(code::line);
        return kept;
    }

    private Operand keep(final ExpressionCode code, final Operand operand, final String index,
        final List<String> flags, final List<String> nulls, final List<String> holds)
    {
        final CqlType type = operand.type();
        final boolean isReference = !RowWords.has(type);
        final String array = operand.apart() != null ? addCarried() : add(type);
        keep(code, array, operand, index, holds);
        final String read = array + "[p]";
        if (type == CqlType.CHAR)
        {
            return read(array, read);
        }
        final String value = isReference ? "((" + LocalTypes.local(type) + ") " + read + ')' : read;
        if (!operand.canBeNull())
        {
            return Operand.notNull(value, type);
        }
        final String bit = (1L << nulls.size()) + "L";
        final String ofNulls = flags.get(nulls.size() / Long.SIZE);
        nulls.add('(' + operand.isNull() + " ? " + bit + " : 0L)");
        return new Operand(value, "((" + ofNulls + "[p] & " + bit + ") != 0L)", type);
    }

    /** Whether rows have references that must be released. */
    public boolean refers()
    {
        return !texts.isEmpty() || types.contains("Object");
    }

    /**
     * A row of which only some columns exist; the others are never read.
     *
     * @param types  of all columns
     * @param kept   columns that exist
     * @param values of these
     */
    public static List<Operand> spread(
        final List<CqlType> types, final List<Integer> kept, final List<Operand> values)
    {
        final List<Operand> all = new ArrayList<>();
        types.forEach(type -> all.add(Operand.notNull(LocalTypes.zero(type), type)));
        for (int i = 0; i < values.size(); i++)
        {
            all.set(kept.get(i), values.get(i));
        }
        return all;
    }

    /** Writes statements that release the references of an index: objects and string codes. */
    public void forget(final ExpressionCode code, final String index)
    {
        for (int i = 0; i < arrays.size(); i++)
        {
            final String at = arrays.get(i) + '[' + index + ']';
            if (types.get(i).equals("Object"))
            {
                code.line(at + " = null;");
            }
            else if (texts.contains(arrays.get(i)))
            {
                code.line("unitStrings.release(" + at + ");");
                code.line(at + " = 0;");
            }
        }
    }

    /**
     * Declares the columns as state, when all are known.
     *
     * @param head name of the field with the position of the oldest row; {@code StateField.Ring.ZERO} for 0
     * @param tail name of the field with the position of the next row
     */
    public void state(final String head, final String tail)
    {
        unit.state(new StateField.Ring(head, tail, arrays, texts, objects));
    }
}

package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows encoded as longs, so that equal rows have equal longs: one long per column, and one long per 64 columns for the
 * nulls of types that use every long as a value. All zeros are equal, and all NaN are equal. A string is stored as its
 * code, and so is a value that is an object; equal strings that are only carried may have different codes.
 *
 * <p>Immutable.
 */
public final class RowWords
{
    /** A bit pattern that no stored float or double has. */
    private static final String NO_DOUBLE = "0x7ff8000000000001L";

    private final UnitSource unit;
    private final List<CqlType> types;
    private final Set<Integer> carried;
    private final List<Boolean> inMask = new ArrayList<>();

    /**
     * @param nullable which columns may be null
     */
    public RowWords(final UnitSource unit, final List<CqlType> types, final List<Boolean> nullable)
    {
        this(unit, types, nullable, List.of(), IntStream.range(0, types.size()).boxed().toList());
    }

    /**
     * A layout of rows that carry strings: equal strings may have different codes, so only callers that take this into
     * account may compare them.
     *
     * @param nullable which columns may be null
     * @param columns  of an operator, which those of the rows are
     * @param compares columns of the operator whose strings are not only carried
     */
    public RowWords(final UnitSource unit, final List<CqlType> types, final List<Boolean> nullable,
        final List<Integer> columns, final Collection<Integer> compares)
    {
        this.unit = unit;
        this.types = types;
        carried = IntStream.range(0, columns.size()).filter(i -> types.get(i) == CqlType.CHAR &&
            !compares.contains(columns.get(i))).boxed().collect(Collectors.toSet());
        for (int i = 0; i < types.size(); i++)
        {
            final CqlType type = types.get(i);
            inMask.add(nullable.get(i) &&
                (type == CqlType.BIGINT || type == CqlType.TIMESTAMP || type == CqlType.INTERVAL));
        }
    }

    /** Whether values of a type are longs or strings, not other objects. */
    public static boolean has(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL, FLOAT, DOUBLE, BOOLEAN, CHAR -> true;
            default -> false;
        };
    }

    /** Longs per row. */
    public int count()
    {
        return types.size() + masks();
    }

    /** Number of longs with null flags after the columns. */
    private int masks()
    {
        return (inMask.lastIndexOf(true) + Long.SIZE) / Long.SIZE;
    }

    /** Java expression that describes which longs are codes. */
    public String held()
    {
        final List<String> strings = new ArrayList<>();
        final List<String> objects = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            if (isCoded(types.get(i)))
            {
                (types.get(i) == CqlType.CHAR ? strings : objects).add(Integer.toString(i));
            }
        }
        return hasCodes() ? "held(new int[] {" + String.join(", ", strings) + "}, new int[] {" +
            String.join(", ", objects) + "})" + (carried.isEmpty() ? "" : ".carrying(" + carried.stream().sorted()
            .map(String::valueOf).collect(Collectors.joining(", ")) + ')') : "CodeColumns.NONE";
    }

    /** Whether rows carry strings, for which there must be memory. */
    public boolean carriesTexts()
    {
        return !carried.isEmpty();
    }

    /** Whether a value of a type is a code in state. */
    public static boolean isCoded(final CqlType type)
    {
        return type == CqlType.CHAR || !has(type);
    }

    /** Whether a long is a code. */
    public boolean hasCodes()
    {
        return types.stream().anyMatch(RowWords::isCoded);
    }

    /** Writes the longs of a row as expressions. */
    public List<String> of(final ExpressionCode code, final List<Operand> row)
    {
        final List<String> words = new ArrayList<>();
        final List<String> masks = new ArrayList<>(Collections.nCopies(masks(), "0L"));
        for (int i = 0; i < types.size(); i++)
        {
            final Operand value = row.get(i);
            words.add(word(value, i));
            if (inMask.get(i) && value.canBeNull())
            {
                masks.set(i / Long.SIZE, masks.get(i / Long.SIZE) + " | (" + value.isNull() + " ? " + (1L << i) +
                    "L : 0L)");
            }
        }
        words.addAll(masks);
        return words;
    }

    private String word(final Operand value, final int column)
    {
        if (types.get(column) == CqlType.CHAR)
        {
            return "(long) " + (carried.contains(column) ? unit.carriedCode(value) : unit.keptCode(value));
        }
        if (isCoded(types.get(column)))
        {
            return "(long) " + objectCode(value);
        }
        final String word = switch (types.get(column))
        {
            case INT -> "(long) " + value.value();
            case BOOLEAN -> '(' + value.value() + " ? 1L : 0L)";
            case FLOAT, DOUBLE -> "Double.doubleToLongBits(" + value.value() + " + 0.0)";
            default -> value.value();
        };
        if (!value.canBeNull())
        {
            return word;
        }
        return '(' + value.isNull() + " ? " + nullWord(types.get(column)) + " : " + word + ')';
    }

    /** Java expression of the code of an object that may be null. */
    public static String objectCode(final Operand value)
    {
        return "objects.code(" + (value.canBeNull() ? value.isNull() + " ? null : (Object) " : "") + value.value() +
            ')';
    }

    private static String nullWord(final CqlType type)
    {
        return switch (type)
        {
            case INT -> "Long.MIN_VALUE";
            case BOOLEAN -> "2L";
            case FLOAT, DOUBLE -> NO_DOUBLE;
            default -> "0L";
        };
    }

    /**
     * Reads a column of a row from its longs.
     *
     * @param column   index
     * @param array    Java expression of the array
     * @param base     Java expression of the index of the first long
     * @param nullable whether it can be null
     */
    public Operand read(final int column, final String array, final String base, final boolean nullable)
    {
        final CqlType type = types.get(column);
        final String word = array + '[' + base + " + " + column + ']';
        if (type == CqlType.CHAR)
        {
            return carried.contains(column) ? UnitSource.ofCarried("(int) " + word) :
                UnitSource.ofCode("(int) " + word);
        }
        if (isCoded(type))
        {
            return new Operand("((" + LocalTypes.local(type) + ") objects.of((int) " + word + "))",
                '(' + word + " == 0L)", type);
        }
        final String value = switch (type)
        {
            case INT -> "(int) " + word;
            case BOOLEAN -> '(' + word + " == 1L)";
            case FLOAT -> "(float) Double.longBitsToDouble(" + word + ')';
            case DOUBLE -> "Double.longBitsToDouble(" + word + ')';
            default -> word;
        };
        final String isNull = inMask.get(column) ?
            '(' + array + '[' + base + " + " + (types.size() + column / Long.SIZE) +
            "] & " + (1L << column) + "L) != 0L" :
            word + " == " + nullWord(type);
        return new Operand('(' + value + ')', nullable && (inMask.get(column) || !nullWord(type).equals("0L")) ?
            '(' + isNull + ')' : "false", type);
    }
}

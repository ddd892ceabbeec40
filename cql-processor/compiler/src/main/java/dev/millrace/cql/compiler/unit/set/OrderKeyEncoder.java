package dev.millrace.cql.compiler.unit.set;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The terms of ORDER BY as longs with the order of the rows: one for a type that has an unused long for null, otherwise
 * one for the position of nulls and one for the value. Strings and other objects are their codes.
 *
 * <p>Immutable.
 */
final class OrderKeyEncoder
{
    private final UnitSource unit;
    private final List<FlowNode.SortKey> keys;
    private final List<CqlType> types;

    OrderKeyEncoder(final UnitSource unit, final List<FlowNode.SortKey> keys, final List<CqlType> types)
    {
        this.unit = unit;
        this.keys = keys;
        this.types = types;
    }

    /** Columns that are read. */
    List<Integer> columns()
    {
        return keys.stream().map(FlowNode.SortKey::column).distinct().toList();
    }

    private static boolean hasRank(final CqlType type)
    {
        return switch (type)
        {
            case INT, FLOAT, DOUBLE, BOOLEAN -> false;
            default -> true;
        };
    }

    /** Number of longs. */
    int count()
    {
        return keys.stream().mapToInt(key -> hasRank(types.get(key.column())) ? 2 : 1).sum();
    }

    /** Java expression that creates the order. */
    String order()
    {
        final List<String> kinds = new ArrayList<>();
        for (final FlowNode.SortKey key : keys)
        {
            final CqlType type = types.get(key.column());
            if (hasRank(type))
            {
                kinds.add("TermOrder.RANK");
            }
            kinds.add("TermOrder." + (!RowWords.isCoded(type) ? "LONG" : (type == CqlType.CHAR ? "TEXT" : "OBJECT") +
                (key.descending() ? "_DESCENDING" : "")));
        }
        return "new TermOrder(new byte[] {" + String.join(", ", kinds) + "}, unitStrings, objects)";
    }

    /**
     * Source text after the codes of the columns: those of the terms are codes, too.
     *
     * @param first index of the first term
     */
    String borrowed(final int first)
    {
        final List<String> strings = new ArrayList<>();
        final List<String> objects = new ArrayList<>();
        int at = first;
        for (final FlowNode.SortKey key : keys)
        {
            final CqlType type = types.get(key.column());
            at += hasRank(type) ? 2 : 1;
            if (RowWords.isCoded(type))
            {
                (type == CqlType.CHAR ? strings : objects).add(Integer.toString(at - 1));
            }
        }
        return strings.size() + objects.size() == 0 ? "" : ".with(new int[] {" + String.join(", ", strings) +
            "}, new int[] {" + String.join(", ", objects) + "})";
    }

    /** Writes the longs of a row as expressions. */
    List<String> of(final SymbolicRow row)
    {
        final List<String> words = new ArrayList<>();
        for (final FlowNode.SortKey key : keys)
        {
            final Operand value = row.get(key.column());
            final String word = (key.descending() && !RowWords.isCoded(value.type()) ? "~" : "") + word(value);
            if (hasRank(value.type()))
            {
                words.add(ifNull(value, (key.nullsFirst() ? "-1" : "1") + 'L', "0L"));
                words.add(ifNull(value, "0L", word));
            }
            else
            {
                words.add(ifNull(value, key.nullsFirst() ? "Long.MIN_VALUE" : "Long.MAX_VALUE", word));
            }
        }
        return words;
    }

    private static String ifNull(final Operand value, final String isNull, final String isNot)
    {
        return value.canBeNull() ? '(' + value.isNull() + " ? " + isNull + " : " + isNot + ')' : isNot;
    }

    private String word(final Operand value)
    {
        return switch (value.type())
        {
            case CHAR -> "((long) " + unit.keptCode(value) + ')';
            case BOOLEAN -> '(' + value.value() + " ? 1L : 0L)";
            case FLOAT, DOUBLE -> "OrderedLongs.of(" + value.value() + ')';
            case INT -> "((long) " + value.value() + ')';
            case BIGINT, TIMESTAMP, INTERVAL -> '(' + value.value() + ')';
            default -> "((long) " + RowWords.objectCode(value) + ')';
        };
    }
}

package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.code.Words;
import java.util.List;

/**
 * Columns of a row of one side of a join, in a ring: an array each, and one for all nulls.
 *
 * <p>Used by one thread, for one class.
 */
final class SideColumns
{
    private final RingColumns ring;
    private final List<CqlType> types;
    private final List<Integer> kept;
    private final String nulls;
    private final List<String> arrays;

    SideColumns(final RingColumns ring, final List<CqlType> types, final List<Integer> kept)
    {
        this.ring = ring;
        this.types = types;
        this.kept = kept;
        nulls = kept.stream().allMatch(column -> types.get(column) == CqlType.CHAR) ? null : ring.add("long");
        arrays = kept.stream().map(column -> ring.add(types.get(column))).toList();
    }

    /** Reads a column of the row at a place. */
    Operand read(final ExpressionCode code, final int column, final String place)
    {
        final int index = kept.indexOf(column);
        final CqlType type = types.get(column);
        final String value = arrays.get(index) + '[' + place + ']';
        if (type == CqlType.CHAR)
        {
            return UnitText.ofKept(value);
        }
        return code.declare(Words.has(type) ? value : "((" + LocalTypes.local(type) + ") " + value + ')',
            '(' + nulls + '[' + place + "] & " + (1L << index) + "L) != 0L", type);
    }

    /** Writes statements that keep a row at a place. */
    void keep(final ExpressionCode code, final Row row, final String place)
    {
        final StringBuilder flags = new StringBuilder("0L");
        for (int i = 0; i < arrays.size(); i++)
        {
            final Operand value = row.get(kept.get(i));
            ring.keep(code, arrays.get(i), value, place);
            if (value.type() != CqlType.CHAR && value.canBeNull())
            {
                flags.append(" | (").append(value.isNull()).append(" ? ").append(1L << i).append("L : 0L)");
            }
        }
        if (nulls != null)
        {
            code.line(nulls + '[' + place + "] = " + flags + ';');
        }
    }
}

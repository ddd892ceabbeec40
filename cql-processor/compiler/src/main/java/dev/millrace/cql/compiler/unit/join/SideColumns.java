package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Columns of a row of one side of a join, in a ring: an array each, and one for the null flags of 64 columns.
 *
 * <p>Not thread-safe; used for one class.
 */
final class SideColumns
{
    private final UnitSource unit;
    private final RingColumns ring;
    private final List<CqlType> types;
    private final List<Integer> kept;
    private final List<String> nulls = new ArrayList<>();
    private final List<String> arrays;

    SideColumns(final UnitSource unit, final RingColumns ring, final SideRows rows)
    {
        this.unit = unit;
        this.ring = ring;
        types = rows.types();
        kept = rows.kept();
        final boolean hasNulls = kept.stream().anyMatch(column -> types.get(column) != CqlType.CHAR);
        for (int i = 0; hasNulls && i < kept.size(); i += Long.SIZE)
        {
            nulls.add(ring.addNumbers("long"));
        }
        arrays = kept.stream().map(column -> types.get(column) == CqlType.CHAR && !rows.compares().contains(column) ?
            ring.addCarried() : ring.add(types.get(column))).toList();
    }

    /** Reads a column of the row at an index. */
    Operand read(final ExpressionCode code, final int column, final String at)
    {
        final int index = kept.indexOf(column);
        final CqlType type = types.get(column);
        final String value = arrays.get(index) + '[' + at + ']';
        if (type == CqlType.CHAR)
        {
            return ring.read(arrays.get(index), value);
        }
        return code.declare(RowWords.has(type) ? value : "((" + LocalTypes.local(type) + ") " + value + ')',
            '(' + nulls.get(index / Long.SIZE) + '[' + at + "] & " + (1L << index) + "L) != 0L", type);
    }

    /** Writes the look-up of strings that are stored and compared, before the row changes any state. */
    void lookUp(final SymbolicRow row)
    {
        for (int i = 0; i < arrays.size(); i++)
        {
            final Operand value = row.get(kept.get(i));
            if (!ring.isCarried(arrays.get(i)) || value.carried().apart() == null)
            {
                unit.lookUp(row.code(), value);
            }
        }
    }

    /** Writes statements that store a row at an index. */
    void keep(final ExpressionCode code, final SymbolicRow row, final String at)
    {
        final List<String> flags = new ArrayList<>(Collections.nCopies(nulls.size(), "0L"));
        final List<String> holds = new ArrayList<>();
        for (int i = 0; i < arrays.size(); i++)
        {
            final Operand value = row.get(kept.get(i));
            ring.keep(code, arrays.get(i), value, at, holds);
            if (value.type() != CqlType.CHAR && value.canBeNull())
            {
                flags.set(i / Long.SIZE, flags.get(i / Long.SIZE) + " | (" + value.isNull() + " ? " + (1L << i) +
                    "L : 0L)");
            }
        }
        for (int i = 0; i < flags.size(); i++)
        {
            code.line(nulls.get(i) + '[' + at + "] = " + flags.get(i) + ';');
        }
        holds.forEach(code::line);
    }
}

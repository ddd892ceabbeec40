package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.IndexPredicate;
import dev.millrace.cql.runtime.index.ColumnKeys;
import dev.millrace.cql.runtime.index.RowFilter;

/** Converts gates to filters. */
final class RowFilters
{
    private RowFilters()
    {
    }

    /**
     * The filter of a gate.
     *
     * @param gate of a plan; {@code null} for none
     * @return {@code null} for none
     */
    static RowFilter of(final IndexPredicate gate)
    {
        if (gate == null)
        {
            return null;
        }
        if (gate.type() == CqlType.CHAR)
        {
            return RowFilter.ofText(gate.column(), (String)gate.low().value());
        }
        final long low = gate.low() == null ? Long.MIN_VALUE : key(gate.low(), gate.type());
        final long high = gate.high() == null ? Long.MAX_VALUE : key(gate.high(), gate.type());
        final boolean isAbove = gate.low() != null && !gate.low().inclusive();
        final boolean isBelow = gate.high() != null && !gate.high().inclusive();
        return isAbove && low == Long.MAX_VALUE || isBelow && high == Long.MIN_VALUE ?
            RowFilter.ofRange(gate.column(), Long.MAX_VALUE, Long.MIN_VALUE) :
            RowFilter.ofRange(gate.column(), isAbove ? low + 1 : low, isBelow ? high - 1 : high);
    }

    private static long key(final IndexPredicate.Bound bound, final CqlType type)
    {
        final Number number = (Number)bound.value();
        return type == CqlType.FLOAT || type == CqlType.DOUBLE ?
            ColumnKeys.of(number.doubleValue()) : number.longValue();
    }
}

package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.IndexPredicate;
import dev.millrace.cql.runtime.index.ColumnKeys;
import dev.millrace.cql.runtime.index.RowFilter;

/** Converts index predicates to filters. */
final class RowFilters
{
    private RowFilters()
    {
    }

    /**
     * The filter of a predicate.
     *
     * @param predicate of a plan; {@code null} for none
     * @return {@code null} for none
     */
    static RowFilter of(final IndexPredicate predicate)
    {
        if (predicate == null)
        {
            return null;
        }
        if (predicate.type() == CqlType.CHAR)
        {
            return RowFilter.ofText(predicate.column(), (String)predicate.low().value());
        }
        final long low = predicate.low() == null ? Long.MIN_VALUE : key(predicate.low(), predicate.type());
        final long high = predicate.high() == null ? Long.MAX_VALUE : key(predicate.high(), predicate.type());
        final boolean isAbove = predicate.low() != null && !predicate.low().inclusive();
        final boolean isBelow = predicate.high() != null && !predicate.high().inclusive();
        return isAbove && low == Long.MAX_VALUE || isBelow && high == Long.MIN_VALUE ?
            RowFilter.ofRange(predicate.column(), Long.MAX_VALUE, Long.MIN_VALUE) :
            RowFilter.ofRange(predicate.column(), isAbove ? low + 1 : low, isBelow ? high - 1 : high);
    }

    private static long key(final IndexPredicate.Bound bound, final CqlType type)
    {
        final Number number = (Number)bound.value();
        return type == CqlType.FLOAT || type == CqlType.DOUBLE ?
            ColumnKeys.of(number.doubleValue()) : number.longValue();
    }
}

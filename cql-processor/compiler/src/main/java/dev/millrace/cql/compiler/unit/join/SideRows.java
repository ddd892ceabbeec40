package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import java.util.List;
import java.util.Set;

/**
 * The rows of a side of a join.
 *
 * @param types    of all columns
 * @param keys     columns that must equal those of the other side
 * @param kept     columns that are kept, ascending
 * @param compares columns whose strings are not only carried
 */
record SideRows(List<CqlType> types, List<Integer> keys, List<Integer> kept, Set<Integer> compares)
{
}

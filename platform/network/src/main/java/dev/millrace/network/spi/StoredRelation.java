package dev.millrace.network.spi;

import java.util.Map;

/**
 * The rows of a relation channel that a durable processor has received, also from earlier processes: the channel, which
 * stores nothing itself, continues with their keys. Immutable; the array is lent.
 *
 * @param rows    number of rows in the relation
 * @param keys    their primary keys, as returned by {@link dev.millrace.network.durable.PrimaryKeySet#toArray}
 * @param numbers number of the last row of each producer, by its name
 */
public record StoredRelation(int rows, long[] keys, Map<String, Long> numbers)
{
}

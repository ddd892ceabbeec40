package dev.millrace.cql.processor.simulation;

import dev.millrace.cql.processor.simulation.SimulatedReceiver.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares the rows of a join with the cache with what it must contain. */
final class CacheRows
{
    private CacheRows()
    {
    }

    /**
     * @param found  the name that the cache had for the symbol of each row, by {@code q}
     * @param stored the rows of {@link Statement#CACHE}
     */
    static List<String> problems(final Script script, final Map<Integer, String> found, final List<Row> stored)
    {
        final List<List<Object>> expected = new ArrayList<>();
        for (final Item item : script.items())
        {
            if (!item.isHeartbeat() && item.channel().equals("S") && found.get(item.q()) != null)
            {
                expected.add(List.of(item.symbol(), item.q(), found.get(item.q())));
            }
        }
        final List<List<Object>> actual = stored.stream().map(Row::values).toList();
        return actual.equals(expected) ? List.of() :
            List.of("query=cache\n  expected=" + expected + "\n  stored=" + actual);
    }
}

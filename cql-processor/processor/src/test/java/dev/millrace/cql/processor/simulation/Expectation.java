package dev.millrace.cql.processor.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.simulation.SimulatedReceiver.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rows that queries emit without any interruption: those of a processor that stores nothing and receives each row
 * alone. Those of simple statements are also computed here.
 */
final class Expectation
{
    private final Map<String, List<Row>> rows = new HashMap<>();

    /** What happened to the rows of a query when the machine lost its power. */
    record PowerLoss(int stored, int unsynced)
    {
    }

    Expectation(final SimulatedProcess.Rules rules, final Script script) throws Exception
    {
        final SimulatedProcess process = new SimulatedProcess(rules);
        process.start(new SimulatedProcess.Environment(new SimulatedHost(null), 1, true, null, query ->
            batch ->
            {
                for (int row = 0; row < batch.size(); row++)
                {
                    rows.computeIfAbsent(query, id -> new ArrayList<>()).add(Row.of(batch, row));
                }
            }, () ->
            {
                throw new IllegalStateException("nothing is stored");
            }, rejected ->
            {
                throw new IllegalStateException(rejected);
            }));
        script.items().forEach(item -> process.send(List.of(item)));
        SimulatedProcess.CHANNELS.forEach(channel -> process.send(List.of(script.end(channel))));
        process.stop();
        rules.statements().forEach(each -> check(each, script));
    }

    /** Compares the rows of simple statements with those that are computed here. */
    private void check(final Statement statement, final Script script)
    {
        final Map<String, long[]> sums = new HashMap<>();
        final List<List<Object>> computed = new ArrayList<>();
        for (final Item item : script.items())
        {
            if (!item.isHeartbeat() && item.channel().equals("S"))
            {
                final long[] sum = sums.computeIfAbsent(item.symbol(), id -> new long[2]);
                sum[0] += item.q();
                sum[1]++;
                if (statement != Statement.FILTER)
                {
                    computed.add(List.of(item.symbol(), (int)sum[0], (int)sum[1]));
                }
                else if (item.price() > 4)
                {
                    computed.add(List.of(item.symbol(), item.q()));
                }
            }
        }
        if (statement == Statement.FILTER || statement == Statement.GROUP)
        {
            assertThat(rows(statement.name()).stream().map(row -> row.values().stream().map(value ->
                value instanceof Number number ? (Object)number.intValue() : value).toList()))
                .as("query=%s", statement.name()).isEqualTo(computed);
            assertThat(rows(statement.name())).allMatch(row -> row.kind() == EventBatch.INSERT);
        }
    }

    private List<Row> rows(final String query)
    {
        return rows.getOrDefault(query, List.of());
    }

    /**
     * Compares the stored rows of a query with the expected ones.
     *
     * @param received      in the order in which they were stored
     * @param losses        rows that were not synchronized may follow again after each of them
     * @param isPartitioned whether only the rows of each symbol have an order
     * @param hasTimes      whether the rows have the times of the script
     * @return the difference; {@code null} if there is none
     */
    String difference(final String query, final List<Row> received, final List<PowerLoss> losses,
        final boolean isPartitioned, final boolean hasTimes)
    {
        final List<Row> stored = hasTimes ? received : received.stream().map(Row::withoutTime).toList();
        final Set<Object> symbols = new HashSet<>();
        rows(query).forEach(row -> symbols.add(row.values().get(0)));
        stored.forEach(row -> symbols.add(row.values().get(0)));
        for (final Object symbol : isPartitioned ? symbols : Arrays.asList((Object)null))
        {
            final List<Row> expected = rows(query).stream().filter(row -> isOf(symbol, row))
                .map(row -> hasTimes ? row : row.withoutTime()).toList();
            final List<List<Row>> parts = new ArrayList<>();
            int from = 0;
            for (final PowerLoss loss : losses)
            {
                parts.add(stored.subList(from, loss.stored()).stream().filter(row -> isOf(symbol, row)).toList());
                from = loss.stored();
            }
            parts.add(stored.subList(from, stored.size()).stream().filter(row -> isOf(symbol, row)).toList());
            if (!isEqual(expected, 0, parts, losses, 0))
            {
                return "query=" + query + " symbol=" + symbol + "\n  expected=" + text(expected) + "\n  stored=" +
                    parts.stream().map(Expectation::text).toList() + " losses=" + losses;
            }
        }
        return null;
    }

    private static boolean isOf(final Object symbol, final Row row)
    {
        return symbol == null || symbol.equals(row.values().get(0));
    }

    private static String text(final List<Row> of)
    {
        return of.stream().map(row -> (row.kind() == EventBatch.INSERT ? "+" : "-") + row.values() + '@' +
            row.timestampNs() / Script.MILLISECOND).toList().toString();
    }

    /** Whether parts of the stored rows, from one on, are the expected rows from one on. */
    private static boolean isEqual(final List<Row> expected, final int from, final List<List<Row>> parts,
        final List<PowerLoss> losses, final int part)
    {
        final int to = from + parts.get(part).size();
        if (to > expected.size() || !expected.subList(from, to).equals(parts.get(part)))
        {
            return false;
        }
        if (part == losses.size())
        {
            return to == expected.size();
        }
        for (int next = to; next >= Math.max(0, to - losses.get(part).unsynced()); next--)
        {
            if (isEqual(expected, next, parts, losses, part + 1))
            {
                return true;
            }
        }
        return false;
    }
}

package dev.millrace.command.recovery;

import dev.millrace.loadgen.RunSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Compares what the sinks have stored with what they must store, while rows are added. Not thread-safe. */
final class StoredRows
{
    private static final int STEP = 1_000;
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long SETTLE_POLL_MS = 100;

    private final RecoveryWorkload workload;
    private final SinkDatabase database;
    private final List<RowComparison> comparisons = new ArrayList<>();
    /** Connection of each key, known when a row of it is expected. */
    private final Map<String, Integer> connections = new HashMap<>();
    /** Stored rows of keys that are not expected yet. */
    private final Map<String, List<double[]>> unknown = new HashMap<>();
    private final long[] expected;

    StoredRows(final RecoveryWorkload workload, final SinkDatabase database, final int connectionCount)
    {
        this.workload = workload;
        this.database = database;
        expected = new long[connectionCount];
        for (int i = 0; i < connectionCount; i++)
        {
            comparisons.add(new RowComparison());
        }
    }

    /**
     * Reads new rows, and computes the expected rows that they are compared with.
     *
     * @param mostRows number of rows that no connection has exceeded
     * @return number of new rows
     */
    long read(final long mostRows) throws IOException
    {
        long rows = 0;
        for (final SinkTable table : workload.tables())
        {
            rows += database.read(table, this::deliver);
        }
        for (int i = 0; i < expected.length; i++)
        {
            while (expected[i] < mostRows && (comparisons.get(i).isAhead() || !unknown.isEmpty()))
            {
                expect(i, Math.min(mostRows, expected[i] + STEP));
            }
        }
        return rows;
    }

    /** Computes all rows that a connection causes. */
    private void expect(final int connection, final long rows)
    {
        workload.expected().advance(connection, rows, (key, values) -> expect(connection, key, values));
        expected[connection] = Math.max(expected[connection], rows);
    }

    private void expect(final int connection, final String key, final double... values)
    {
        if (connections.putIfAbsent(key, connection) == null && unknown.containsKey(key))
        {
            unknown.remove(key).forEach(row -> comparisons.get(connection).deliver(key, row));
        }
        comparisons.get(connection).expect(key, values);
    }

    private void deliver(final String key, final double... values)
    {
        final Integer connection = connections.get(key);
        if (connection == null)
        {
            unknown.computeIfAbsent(key, name -> new ArrayList<>()).add(values);
        }
        else
        {
            comparisons.get(connection).deliver(key, values);
        }
    }

    /** Waits until all rows that the load causes are stored, or no more are. */
    void settle(final RunSummary load) throws IOException, InterruptedException
    {
        for (final RunSummary.Connection connection : load.connections())
        {
            expect(connection.index(), connection.rowsSent());
        }
        long movedNs = System.nanoTime();
        read(0);
        while (isBehind() && System.nanoTime() - movedNs < SETTLE_NS)
        {
            Thread.sleep(SETTLE_POLL_MS);
            if (read(0) > 0)
            {
                movedNs = System.nanoTime();
            }
        }
        // Rows that must not be there would follow.
        Thread.sleep(SETTLE_POLL_MS);
        read(0);
    }

    private boolean isBehind()
    {
        return comparisons.stream().anyMatch(RowComparison::isBehind);
    }

    /** Returns the number of rows found missing, doubled or wrong so far; the last ones are only decided at the end. */
    long differences()
    {
        return comparisons.stream().mapToLong(each -> each.missing() + each.doubled() + each.wrong()).sum();
    }

    /** Returns the number of rows that were read. */
    long delivered()
    {
        return comparisons.stream().mapToLong(RowComparison::delivered).sum();
    }

    /** All rows were sent and read: returns the differences. */
    RecoveryResult.Rows end()
    {
        unknown.forEach((key, rows) -> rows.forEach(row -> comparisons.get(0).deliver(key, row)));
        comparisons.forEach(RowComparison::end);
        return RecoveryResult.Rows.of(comparisons);
    }
}

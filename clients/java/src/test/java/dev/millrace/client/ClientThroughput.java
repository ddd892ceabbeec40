package dev.millrace.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures both clients with a real adapter that counts rows: a million distinct rows of a string and a double, from
 * the first row to the last acknowledgement, median of five runs after a first one.
 */
final class ClientThroughput
{
    private static final int ROWS = 1_000_000;
    private static final int RUNS = 5;
    private static final String SCRIPT = """
        import sys, time
        import millrace_client as millrace
        columns = [("symbol", "char8"), ("lastPrice", "double")]
        symbols = ["S%d" % i for i in range(1000)]
        with millrace.connect("127.0.0.1", int(sys.argv[1]), columns) as sender:
            begin = time.perf_counter()
            for row in range(1000000):
                sender.send(symbols[row % 1000], row)
            assert sender.await_acknowledgements(60)
            print(int(1000000 / (time.perf_counter() - begin)))
        """;

    private interface Run
    {
        long rowsPerSecond(int port) throws IOException, InterruptedException;
    }

    private ClientThroughput()
    {
    }

    public static void main(final String... arguments) throws IOException, InterruptedException
    {
        System.out.println("rows/s, rows=" + ROWS + " runs=" + RUNS);
        measure("Java", ClientThroughput::java);
        measure("Python", ClientThroughput::python);
    }

    private static void measure(final String name, final Run run) throws IOException, InterruptedException
    {
        final long[] all = new long[RUNS];
        for (int i = -1; i < RUNS; i++)
        {
            try (RunningSource source = new RunningSource(RunningSource.TICK, false, adapter ->
            {
            }))
            {
                source.rows.countOnly();
                final long rowsPerSecond = run.rowsPerSecond(source.port());
                if (source.rows.count() != ROWS)
                {
                    throw new IllegalStateException("rows were lost, received=" + source.rows.count());
                }
                all[Math.max(0, i)] = rowsPerSecond;
            }
        }
        Arrays.sort(all);
        System.out.println(String.format(Locale.ROOT, "%-8s median %,d, %s", name, all[RUNS / 2],
            Arrays.toString(all)));
    }

    private static long java(final int port) throws IOException
    {
        final String[] symbols = new String[1_000];
        Arrays.setAll(symbols, i -> "S" + i);
        try (EventSender sender = new EventSenderBuilder("127.0.0.1", port).column("symbol", ColumnType.CHAR8)
            .column("lastPrice", ColumnType.DOUBLE).connect())
        {
            final long beginNs = System.nanoTime();
            for (int row = 0; row < ROWS; row++)
            {
                sender.addString(symbols[row % symbols.length]).addDouble(row).endRow();
            }
            if (!sender.awaitAcknowledgements(Duration.ofSeconds(60)))
            {
                throw new IllegalStateException("no acknowledgement in time");
            }
            return ROWS * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - beginNs);
        }
    }

    private static long python(final int port) throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder("python3", "-c", SCRIPT, Integer.toString(port))
            .redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", "../python");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        final Process process = builder.start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0)
        {
            throw new IllegalStateException(output);
        }
        return Long.parseLong(output);
    }
}

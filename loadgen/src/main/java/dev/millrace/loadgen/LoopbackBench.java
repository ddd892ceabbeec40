package dev.millrace.loadgen;

import com.google.gson.GsonBuilder;
import dev.millrace.adapter.loadgen.LoadgenAdapter;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.time.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares the throughput of a bare sender and receiver over loopback with that of load generator and adapter without
 * processing, interleaved in one run: once with one write per packet, once with shared writes. Prints medians and
 * optionally writes them as JSON.
 */
@Command(name = "loopback-bench", mixinStandardHelpOptions = true, version = "Millrace load generator 0.1.0",
    description = "Compares a bare sender and receiver with generator and adapter over loopback, interleaved.")
public final class LoopbackBench implements Callable<Integer>
{
    private static final int SYMBOLS = 1470;
    private static final double SETTLE_SECS = 0.5;

    @Option(names = "--connections", defaultValue = "4", description = "Connections (default ${DEFAULT-VALUE}).")
    private int connections;

    @Option(names = "--ticks", defaultValue = "1,10", split = ",",
        description = "Rows per packet, comma-separated (default ${DEFAULT-VALUE}).")
    private List<Integer> ticks;

    @Option(names = "--secs", defaultValue = "2",
        description = "Seconds per measurement (default ${DEFAULT-VALUE}).")
    private int secs;

    @Option(names = "--rounds", defaultValue = "5", description = "Rounds; the result is the median (default "
        + "${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the results as JSON to a file.")
    private Path json;

    /**
     * Results for one packet size.
     *
     * @param ticksPerPacket     rows per packet
     * @param bare               events per second of the bare pair with one write per packet, per round
     * @param writePerPacket     the same for generator and adapter
     * @param sharedWrites       generator and adapter when packets may share a write
     * @param bareMedian         median of {@code bare}
     * @param writePerPacketMedian median of {@code writePerPacket}
     * @param sharedWritesMedian median of {@code sharedWrites}
     * @param ratio              median over rounds of writePerPacket / bare
     */
    public record Result(int ticksPerPacket, double[] bare, double[] writePerPacket, double[] sharedWrites,
        double bareMedian, double writePerPacketMedian, double sharedWritesMedian, double ratio)
    {
    }

    /**
     * Entry point.
     *
     * @param args see {@code --help}
     */
    public static void main(final String[] args)
    {
        System.exit(new CommandLine(new LoopbackBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception
    {
        final Path data = Files.createTempFile("loopback", ".csv").toAbsolutePath();
        try
        {
            final List<String> lines = new ArrayList<>();
            for (int i = 0; i < SYMBOLS; i++)
            {
                lines.add(String.format(Locale.ROOT, "S%03X,%.2f", i, 20 + i / 100.0));
            }
            Files.write(data, lines);
            final List<Result> results = new ArrayList<>();
            for (final int ticksPerPacket : ticks)
            {
                results.add(measure(data, ticksPerPacket));
            }
            if (json != null)
            {
                final Map<String, Object> all = new LinkedHashMap<>();
                all.put("connections", connections);
                all.put("secs", secs);
                all.put("java", System.getProperty("java.version"));
                all.put("results", results);
                RunSummary.write(new GsonBuilder().setPrettyPrinting().create().toJson(all), json);
            }
            return 0;
        }
        finally
        {
            Files.delete(data);
        }
    }

    private Result measure(final Path data, final int ticksPerPacket) throws Exception
    {
        final double[] bare = new double[rounds];
        final double[] single = new double[rounds];
        final double[] shared = new double[rounds];
        final double[] ratios = new double[rounds];
        new LoopbackBaseline(connections, ticksPerPacket).run(SETTLE_SECS);
        pair(data, ticksPerPacket, true, 1);
        pair(data, ticksPerPacket, false, 1);
        for (int round = 0; round < rounds; round++)
        {
            bare[round] = new LoopbackBaseline(connections, ticksPerPacket).run(secs);
            single[round] = pair(data, ticksPerPacket, true, secs);
            shared[round] = pair(data, ticksPerPacket, false, secs);
            ratios[round] = single[round] / bare[round];
        }
        final Result result = new Result(ticksPerPacket, bare, single, shared, median(bare), median(single),
            median(shared), median(ratios));
        System.out.printf(Locale.ROOT, "%d ticks/packet, %d connections: bare %,d events/s, one write per packet %,d " +
            "(%.2f of bare), shared writes %,d%n", ticksPerPacket, connections, (long)result.bareMedian(),
            (long)result.writePerPacketMedian(), result.ratio(), (long)result.sharedWritesMedian());
        return result;
    }

    /** Events per second through generator, socket and adapter. */
    private double pair(final Path data, final int ticksPerPacket, final boolean writePerPacket, final int runSecs)
        throws Exception
    {
        final DiscardingSender sink = new DiscardingSender();
        final LoadgenAdapter adapter = new LoadgenAdapter();
        adapter.setPort(0);
        adapter.setTimesyncPort(0);
        adapter.setStageContext(new Context());
        adapter.setBatchSender(sink);
        adapter.afterPropertiesSet();
        adapter.afterConfigurationActive();
        final Thread thread = new Thread(adapter, "adapter");
        thread.start();
        try
        {
            final LoadGenerator generator = new LoadGenerator(GeneratorSettings.of("bench", data.getParent(), Map.of(
                "test.packetType", "CSV", "test.csvDataFile", data.toString(), "test.port", "" + adapter.boundPort(),
                "test.senders", "" + connections, "test.rate", "max", "test.secs", "" + runSecs,
                "test.ticksPerPacket", "" + ticksPerPacket, "test.writePerPacket", "" + writePerPacket)));
            final long startNs = System.nanoTime();
            final RunSummary summary = generator.run(ProgressListener.NONE);
            // The run ends when the adapter has read each stream to its end.
            final double elapsedSecs = (System.nanoTime() - startNs) / 1e9;
            if (sink.rows() != summary.sent())
            {
                throw new IllegalStateException("rows were lost, sent=" + summary.sent() + " received=" + sink.rows());
            }
            return sink.rows() / elapsedSecs;
        }
        finally
        {
            adapter.destroy();
            thread.join();
        }
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Minimal context for the adapter. */
    private static final class Context implements StageContext
    {
        @Override
        public String applicationName()
        {
            return "loopback-bench";
        }

        @Override
        public String stageId()
        {
            return "adapter";
        }

        @Override
        public EventTypeRepository eventTypes()
        {
            return new NoTypes();
        }

        @Override
        public Clock clock()
        {
            return Clock.SYSTEM;
        }
    }

    /** The adapter takes its type from the sender. */
    private static final class NoTypes implements EventTypeRepository
    {
        @Override
        public EventType eventType(final String name)
        {
            return null;
        }

        @Override
        public Collection<EventType> eventTypes()
        {
            return List.of();
        }
    }
}

package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.adapter.loadgen.WireType;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Plays a data file as specified by a property file. For programs: construct, {@link #run}, read the
 * {@link RunSummary}.
 *
 * <p>Threads: {@link #run} blocks its caller, which reports progress; any thread may call {@link #stop}. One run per
 * object.
 */
public final class LoadGenerator
{
    private static final int DRAIN_MILLIS = 10_000;
    private static final int STOP_DRAIN_MILLIS = 2_000;
    private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final GeneratorSettings settings;
    private final DataFile data;
    private final RowAssignment plan;
    private final Credentials credentials;
    private final Clock clock = Clock.SYSTEM;
    private final List<SenderConnection> connections = new ArrayList<>();
    private final List<SingleWriterRecorder> recorders = new ArrayList<>();
    private final Histogram lagUs = new Histogram(3);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private RowEncoder encoder;
    /** Whether the types of the columns are a guess that the server may correct. */
    private boolean isInferred;
    private List<SenderThread> threads = List.of();
    private ClockOffset clockOffset = ClockOffset.SAME_MACHINE;
    private long startNs;

    /**
     * Reads the data file and encodes its rows; opens no connection.
     *
     * @param settings of the run
     * @throws GeneratorException when the data file does not match the settings
     */
    public LoadGenerator(final GeneratorSettings settings) throws GeneratorException
    {
        this.settings = settings;
        data = DataFile.read(settings.dataFile());
        plan = RowAssignment.of(data, settings);
        encoder = RowEncoder.of(data, settings.columnTypes());
        isInferred = settings.columnTypes().isEmpty();
        credentials = Credentials.of(settings);
        encode();
    }

    /** Encodes the rows of each connection. */
    private void encode() throws GeneratorException
    {
        final boolean asLines = settings.packetType() == GeneratorSettings.PacketType.TEXT;
        connections.clear();
        recorders.clear();
        for (int i = 0; i < settings.senders(); i++)
        {
            final SingleWriterRecorder recorder =
                settings.latencyStats() ? new SingleWriterRecorder(TimeUnit.HOURS.toMicros(1), 3) : null;
            if (recorder != null)
            {
                recorders.add(recorder);
            }
            final SenderHandshake.Opening opening = new SenderHandshake.Opening(
                asLines ? textOpening() : preamble(i), !asLines,
                (byte)(encoder.hasNulls() ? WireFormat.FLAG_NULLS : 0));
            final EncodedRows rows = settings.split() == GeneratorSettings.Split.COPY && i > 0 ?
                connections.get(0).rows() : new EncodedRows(plan, i, encoder, asLines);
            connections.add(new SenderConnection(i, settings, rows, opening, credentials.tls(), clock, recorder));
        }
    }

    private byte[] preamble(final int connection)
    {
        final String stream = settings.stream() == null ? null : settings.stream() + '-' + (connection + 1);
        final byte[] preamble = WireFormat.preamble(encoder.types(), credentials.token(), stream);
        return isInferred ? WireFormat.inferred(preamble) : preamble;
    }

    private byte[] textOpening()
    {
        return credentials.token() == null ? new byte[0] :
            (WireFormat.TEXT_TOKEN + new String(credentials.token(), StandardCharsets.US_ASCII) + '\n')
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** The assignment of rows to connections. */
    public RowAssignment plan()
    {
        return plan;
    }

    /** The rows of the data file. */
    public DataFile data()
    {
        return data;
    }

    /**
     * Connects, sends until the run ends, and waits until the server has read everything.
     *
     * @param listener called every {@code test.statInterval}
     * @return the result, also when a connection was lost during the run
     * @throws GeneratorException when the server is unreachable or refuses the stream at the start
     */
    public RunSummary run(final ProgressListener listener) throws GeneratorException
    {
        try
        {
            connect();
            begin();
            watch(listener);
        }
        finally
        {
            threads.forEach(SenderThread::end);
            threads.forEach(LoadGenerator::join);
        }
        final boolean[] drained = drain();
        final RunSummary summary = summarise(drained);
        if (settings.summaryFile() != null)
        {
            RunSummary.write(summary.json(), settings.summaryFile());
        }
        return summary;
    }

    /** Ends the run soon: started packets are completed and the summary is created as usual. */
    public void stop()
    {
        stopped.countDown();
    }

    private void connect() throws GeneratorException
    {
        if (settings.timesyncPort() != 0)
        {
            clockOffset = ClockOffset.ask(settings.host(), settings.timesyncPort(), clock);
        }
        try
        {
            open();
        }
        catch (final GeneratorException ex)
        {
            if (ex.properties() == null)
            {
                throw ex;
            }
            encodeFor(ex.properties());
            open();
        }
    }

    private void open() throws GeneratorException
    {
        try
        {
            for (final SenderConnection connection : connections)
            {
                connection.connect();
            }
        }
        catch (final GeneratorException ex)
        {
            connections.forEach(SenderConnection::close);
            throw ex;
        }
    }

    /**
     * Encodes the rows again for the types of the event's properties, which differ from the types inferred from the
     * data file, for example when a char property has values such as 0815.
     *
     * @param properties for example "symbol:char,lastPrice:double", perhaps incomplete
     */
    private void encodeFor(final String properties) throws GeneratorException
    {
        final List<WireType> types = new ArrayList<>();
        for (final String property : properties.split(",", -1))
        {
            final CqlType type = CqlType.byName(property.substring(property.lastIndexOf(':') + 1));
            types.add(type == null ? null : WireType.carrying(type));
        }
        final boolean areKnown = types.size() == data.columnCount() && !types.contains(null);
        // The server converts strings to any type.
        encoder = RowEncoder.matching(data, areKnown ? types :
            Collections.nCopies(data.columnCount(), WireType.CHAR8));
        isInferred = false;
        encode();
    }

    private void begin()
    {
        final int threadCount = Math.min(settings.threads(), connections.size());
        final List<SenderThread> made = new ArrayList<>();
        for (int i = 0; i < threadCount; i++)
        {
            final int remainder = i;
            made.add(new SenderThread("loadgen-" + settings.port() + "-" + i, settings, connections.stream()
                .filter(connection -> connection.index % threadCount == remainder).toList(), clock));
        }
        threads = made;
        startNs = clock.epochNs() + LEAD_NS;
        connections.forEach(connection -> connection.begin(startNs, clockOffset.offsetNs()));
        threads.forEach(Thread::start);
    }

    private void watch(final ProgressListener listener)
    {
        final Reporter reporter = new Reporter(settings, connections, recorders, lagUs, startNs);
        long nextReportNs = startNs + TimeUnit.MILLISECONDS.toNanos(settings.statIntervalMs());
        while (stopped.getCount() > 0 && threads.stream().anyMatch(Thread::isAlive) &&
            threads.stream().allMatch(thread -> thread.failure() == null))
        {
            final long nowNs = clock.epochNs();
            if (nowNs >= nextReportNs)
            {
                listener.onProgress(reporter.report(nowNs));
                nextReportNs += TimeUnit.MILLISECONDS.toNanos(settings.statIntervalMs());
            }
            await(Math.min(nextReportNs - nowNs, TimeUnit.MILLISECONDS.toNanos(20)));
        }
        threads.forEach(SenderThread::end);
        threads.forEach(LoadGenerator::join);
        listener.onProgress(reporter.report(clock.epochNs()));
    }

    private void await(final long waitNs)
    {
        try
        {
            stopped.await(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            stop();
        }
    }

    private static void join(final Thread thread)
    {
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean[] drain()
    {
        final boolean[] drained = new boolean[connections.size()];
        final int timeoutMillis = stopped.getCount() == 0 || failure() != null ? STOP_DRAIN_MILLIS : DRAIN_MILLIS;
        for (final SenderConnection connection : connections)
        {
            drained[connection.index] = connection.finish(timeoutMillis);
        }
        return drained;
    }

    private String failure()
    {
        return threads.stream().map(SenderThread::failure).filter(message -> message != null).findFirst().orElse(null);
    }

    private RunSummary summarise(final boolean[] drained)
    {
        final long endNs = threads.stream().mapToLong(SenderThread::endedNs).max().orElse(startNs);
        final double secs = Math.max(1e-9, (endNs - startNs) / 1e9);
        final List<RunSummary.Connection> each = new ArrayList<>();
        long offered = 0;
        long sent = 0;
        long missed = 0;
        long packets = 0;
        long writes = 0;
        long bytes = 0;
        double lagMaxMs = 0;
        boolean allDrained = true;
        for (final SenderConnection connection : connections)
        {
            final double lagMs = settings.schedule().isPaced() ? connection.lagMaxNs.get() / 1e6 : 0;
            each.add(new RunSummary.Connection(connection.index, plan.rowCount(connection.index),
                connection.rowsSent.get(), connection.framesSent.get(), connection.rowsMissed.get(),
                connection.reconnects.get(), lagMs, drained[connection.index]));
            offered += connection.offered(endNs);
            sent += connection.rowsSent.get();
            missed += connection.rowsMissed.get();
            packets += connection.framesSent.get();
            writes += connection.writes.get();
            bytes += connection.bytesSent.get();
            lagMaxMs = Math.max(lagMaxMs, lagMs);
            allDrained &= drained[connection.index];
        }
        final String failure = failure();
        final String ended = failure != null ? "lost" : stopped.getCount() == 0 ? "stopped" : "completed";
        final boolean asLines = settings.packetType() == GeneratorSettings.PacketType.TEXT;
        return new RunSummary(settings.name(), data.file().toString(), data.rowCount(),
            asLines ? List.of() : encoder.types().stream().map(type -> type.name().toLowerCase(Locale.ROOT)).toList(),
            settings.split().name().toLowerCase(Locale.ROOT), settings.splitColumn() + 1, settings.ticksPerPacket(),
            settings.writePerPacket(), secs, offered, sent, offered - sent, missed, packets, writes, bytes,
            offered / secs, sent / secs, packets / secs, packets / secs, writes / secs, lagMaxMs, lag(),
            clockOffset.offsetNs(), clockOffset.uncertaintyNs(), ended, allDrained, failure, each);
    }

    private RunSummary.Lag lag()
    {
        if (!settings.latencyStats())
        {
            return null;
        }
        return new RunSummary.Lag(lagUs.getMean(), lagUs.getValueAtPercentile(50), lagUs.getValueAtPercentile(90),
            lagUs.getValueAtPercentile(99), lagUs.getValueAtPercentile(99.99), lagUs.getMaxValue(),
            lagUs.getTotalCount());
    }

    /**
     * Runs several generators in parallel, one thread each.
     *
     * @param generators to run
     * @param listener   receives the reports of all generators, one call at a time
     * @return their summaries, in the same order
     * @throws GeneratorException the first failure to start; the other generators are then stopped
     */
    public static List<RunSummary> runAll(final List<LoadGenerator> generators, final ProgressListener listener)
        throws GeneratorException
    {
        final RunSummary[] summaries = new RunSummary[generators.size()];
        final GeneratorException[] failures = new GeneratorException[generators.size()];
        final ProgressListener serial = progress ->
        {
            synchronized (summaries)
            {
                listener.onProgress(progress);
            }
        };
        final List<Thread> runners = new ArrayList<>();
        for (int i = 0; i < summaries.length; i++)
        {
            final int index = i;
            runners.add(new Thread(() ->
            {
                try
                {
                    summaries[index] = generators.get(index).run(serial);
                }
                catch (final GeneratorException ex)
                {
                    failures[index] = ex;
                    generators.forEach(LoadGenerator::stop);
                }
            }, "loadgen-run-" + i));
        }
        runners.forEach(Thread::start);
        runners.forEach(LoadGenerator::join);
        for (final GeneratorException failure : failures)
        {
            if (failure != null)
            {
                throw failure;
            }
        }
        return List.of(summaries);
    }
}

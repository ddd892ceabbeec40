package dev.millrace.tuning;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchServices;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The process of {@link UniqueKeysExperiment}: plays events with 16-byte ids, no two of which are equal, 100,000 per
 * second of event time, and prints {@code figures nsPerEvent rows expectedRows rejected heapAfterThird heapAtEnd}. For
 * groups and patterns, every id occurs twice, ten events apart, so that there are results.
 */
final class UniqueKeysProcess
{
    /** Prefix of the figures that this process prints. */
    static final String FIGURES = "figures ";
    /** Prefix of the progress lines that it prints: the number of events processed. */
    static final String PROGRESS = "progress ";

    private static final EventType ORDER = EventType.tuple("Order", new EventProperty("id", CqlType.CHAR),
        new EventProperty("qty", CqlType.BIGINT), new EventProperty("at", CqlType.BIGINT));
    private static final EventType RESULT =
        EventType.tuple("Result", new EventProperty("id", CqlType.CHAR), new EventProperty("qty", CqlType.BIGINT));
    private static final long STEP_NS = 10_000;
    private static final long SLIDE_NS = 100_000_000;
    private static final int ID_LENGTH = 16;
    private static final int DISTANCE = 10;
    private static final double MIB = 1 << 20;
    private static final long PROGRESS_EVENTS = 100_000;

    private UniqueKeysProcess()
    {
    }

    /** The variants and their statements, by the names of the command line. */
    static String statement(final String variant)
    {
        return switch (variant)
        {
            case "carried" -> "select id, qty from Orders";
            case "filter" -> "select id, qty from Orders where qty > 5";
            case "group" -> "IStream(select id, count(*) as qty from Orders [range 10 seconds] group by id " +
                "having count(*) > 1)";
            case "sliding" -> "IStream(select id, count(*) as qty from Orders " +
                "[range 10 seconds slide 100 milliseconds] group by id having count(*) > 1)";
            case "pattern" -> "select M.id, M.qty from Orders MATCH_RECOGNIZE (partition by id measures B.id as id, " +
                "B.qty as qty pattern (A B) within 10 seconds define B as B.qty >= 0) as M";
            case "window" -> "DStream(select id, qty from Orders [range 10 seconds])";
            default -> throw new IllegalArgumentException("no such variant of unique-keys: " + variant);
        };
    }

    /** Whether each id occurs a second time. */
    private static boolean isTwice(final String variant)
    {
        return variant.equals("group") || variant.equals("sliding") || variant.equals("pattern");
    }

    /** Number of rows that must be emitted. */
    static long expectedRows(final String variant, final long events)
    {
        return switch (variant)
        {
            case "carried" -> events;
            case "filter" -> events / 10 * 4 + Math.max(0, events % 10 - 6);
            case "group", "pattern" -> pairs(events);
            // Those included in the last step.
            case "sliding" -> pairs((events * STEP_NS - 1) / SLIDE_NS * (SLIDE_NS / STEP_NS) + 1);
            default -> Math.max(0, events - 10_000_000_000L / STEP_NS);
        };
    }

    /** Events whose id has occurred before. */
    private static long pairs(final long events)
    {
        return events / (2 * DISTANCE) * DISTANCE + Math.max(0, events % (2 * DISTANCE) - DISTANCE);
    }

    /** Counts rows and reads their ids, so that omitting them would be detected. */
    private static final class Counter implements EventBatchSink
    {
        private long rows;
        private long withoutId;

        @Override
        public void onBatch(final EventBatch batch)
        {
            rows += batch.size();
            for (int i = 0; i < batch.size(); i++)
            {
                withoutId += batch.texts(0).isNull(i) ? 1 : 0;
            }
        }
    }

    /**
     * Plays the events.
     *
     * @param arguments variant and number of events
     * @throws DeploymentException when the query is refused
     */
    public static void main(final String[] arguments) throws DeploymentException
    {
        play(arguments[0], Long.parseLong(arguments[1]));
    }

    private static void play(final String variant, final long events) throws DeploymentException
    {
        final BenchNetwork.Feed feed = new BenchNetwork.Feed();
        final Counter counter = new Counter();
        final Network network = network(statement(variant), feed, counter);
        final EventBatch batch = new EventBatch(feed.sender().schema());
        final byte[] id = "order-0000000000".getBytes(StandardCharsets.US_ASCII);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final boolean isTwice = isTwice(variant);
        final long start = threads.getCurrentThreadCpuTime();
        double third = Double.NaN;
        for (long sent = 0; sent < events;)
        {
            final int n = (int)Math.min(EventBatch.CAPACITY, events - sent);
            fill(batch, id, sent, n, isTwice);
            feed.sender().send(batch);
            batch.clear();
            if (sent / PROGRESS_EVENTS != (sent + n) / PROGRESS_EVENTS)
            {
                System.out.println(PROGRESS + (sent + n));
            }
            sent += n;
            third = Double.isNaN(third) && sent > events / 3 ? usedMib() : third;
        }
        batch.baseTimestampNs(events * STEP_NS - 1);
        feed.sender().send(batch);
        final double ns = (threads.getCurrentThreadCpuTime() - start) / (double)events;
        System.out.println(FIGURES + ns + ' ' + (counter.rows - counter.withoutId) + ' ' +
            expectedRows(variant, events) + ' ' + rejected(network) + ' ' + third + ' ' + usedMib());
        network.stop();
    }

    private static void fill(
        final EventBatch batch, final byte[] id, final long first, final int n, final boolean isTwice)
    {
        for (int i = 0; i < n; i++)
        {
            final long event = first + i;
            long number = isTwice ? event / (2 * DISTANCE) * DISTANCE + event % DISTANCE : event;
            for (int place = ID_LENGTH - 1; place >= ID_LENGTH - 10; place--)
            {
                id[place] = (byte)('0' + number % 10);
                number /= 10;
            }
            batch.texts(0).set(i, id, 0, ID_LENGTH);
            batch.longs(1)[i] = event % 10;
            batch.longs(2)[i] = event * STEP_NS;
        }
        batch.size(n);
    }

    private static double usedMib()
    {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
    }

    private static long rejected(final Network network)
    {
        return ((List<?>)network.statistics().get("stages")).stream()
            .mapToLong(stage -> ((Number)((Map<?, ?>)stage).get("rowsRejected")).longValue()).sum();
    }

    private static Network network(final String statement, final BenchNetwork.Feed feed, final EventBatchSink sink)
        throws DeploymentException
    {
        final BenchServices services = new BenchServices(Clock.SYSTEM, ORDER, RESULT);
        final boolean isPattern = statement.contains("MATCH_RECOGNIZE");
        final ProcessorStage.Rule rule = new ProcessorStage.Rule("out", false, statement, List.of(),
            isPattern ? "PARTITION_ORDERED" : "ORDERED", isPattern ? "id" : null, true, SourcePosition.NONE);
        final Network network = Network.build(new NetworkDefinition("unique-keys", services, List.of(
            new BeanStage("feed", true, feed, List.of("Orders"), SourcePosition.NONE),
            channel("Orders", ORDER, new ChannelStage.Time("at", true, 0), "query"),
            new ProcessorStage("query", CqlProcessorProvider.TYPE, List.of(rule), Map.of(), 1, List.of("out"),
                SourcePosition.NONE),
            channel("out", RESULT, new ChannelStage.Time(null, true, 0), "sink"),
            new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE)), List.of()), services);
        network.start();
        return network;
    }

    private static ChannelStage channel(
        final String id, final EventType type, final ChannelStage.Time time, final String listener)
    {
        return new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false, time, List.of(),
            List.of(listener), SourcePosition.NONE);
    }
}

package dev.millrace.samples.signalgeneration;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The end of the network: counts signals and trends, measures the latency of each row from the due time of its tick at
 * the source, and stores the last signals.
 *
 * <p>Threads: batches arrive from one thread at a time; any thread may read statistics at the same time without
 * blocking events. Nothing is allocated per batch.
 */
public final class SignalgenOutputBean implements EventBatchSink, StageContextAware, StatisticsSource
{
    /** Larger latencies are counted as this value. */
    public static final long MAX_LATENCY_NS = 3_600_000_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NS_PER_US = 1000.0;

    private final AtomicLong signals = new AtomicLong();
    private final AtomicLong trends = new AtomicLong();
    private final SingleWriterRecorder recorder = new SingleWriterRecorder(MAX_LATENCY_NS, SIGNIFICANT_DIGITS);
    private final Histogram latencyNs = new Histogram(MAX_LATENCY_NS, SIGNIFICANT_DIGITS);
    private Histogram interval;
    private final RecentRows lastSignals = new RecentRows("percLastPrice");
    private final RecentRows lastTrends = new RecentRows("percTrend");
    private Clock clock = Clock.SYSTEM;
    private EventType signalType;
    private EventType trendType;

    @Override
    public void setStageContext(final StageContext context)
    {
        clock = context.clock();
        signalType = context.eventTypes().eventType("PercentTick");
        trendType = context.eventTypes().eventType("TrendTick");
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        final int size = batch.size();
        if (size == 0)
        {
            return;
        }
        final EventType type = batch.schema().type();
        if (type == signalType)
        {
            lastSignals.add(batch);
            measure(batch, size);
            signals.addAndGet(size);
        }
        else if (type == trendType)
        {
            lastTrends.add(batch);
            measure(batch, size);
            trends.addAndGet(size);
        }
        else
        {
            throw new EventRejectedException("neither a signal nor a trend, type=" + type.name());
        }
    }

    private void measure(final EventBatch batch, final int size)
    {
        if (!batch.hasOrigins())
        {
            return;
        }
        final long nowNs = clock.epochNs();
        final long[] originsNs = batch.originsNs();
        for (int row = 0; row < size; row++)
        {
            recorder.recordValue(Math.max(0, Math.min(MAX_LATENCY_NS, nowNs - originsNs[row])));
        }
    }

    @Override
    public synchronized Map<String, Object> statistics()
    {
        interval = recorder.getIntervalHistogram(interval);
        latencyNs.add(interval);
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("signals", signals.get());
        out.put("trends", trends.get());
        out.put("latencyUs", latencyUs());
        out.put("latencyHistogram", encoded());
        out.put("lastSignals", lastSignals.rows());
        out.put("lastTrends", lastTrends.rows());
        return out;
    }

    /**
     * Latencies in nanoseconds since the start, in HdrHistogram's compressed form as base 64, so that two snapshots can
     * be subtracted.
     */
    private String encoded()
    {
        final ByteBuffer bytes = ByteBuffer.allocate(latencyNs.getNeededByteBufferCapacity());
        final int size = latencyNs.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), size));
    }

    private Map<String, Object> latencyUs()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("count", latencyNs.getTotalCount());
        out.put("mean", latencyNs.getMean() / NS_PER_US);
        out.put("p50", latencyNs.getValueAtPercentile(50) / NS_PER_US);
        out.put("p90", latencyNs.getValueAtPercentile(90) / NS_PER_US);
        out.put("p99", latencyNs.getValueAtPercentile(99) / NS_PER_US);
        out.put("p9999", latencyNs.getValueAtPercentile(99.99) / NS_PER_US);
        out.put("max", latencyNs.getMaxValue() / NS_PER_US);
        return out;
    }
}

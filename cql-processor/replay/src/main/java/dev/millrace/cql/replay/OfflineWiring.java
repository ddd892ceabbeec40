package dev.millrace.cql.replay;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.durable.ReplayEngine;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The surroundings of a processor that runs on the thread of its caller, at the time of the records: the state of each
 * recorded thread is in a separate processor, so one worker is enough.
 */
final class OfflineWiring implements ProcessorWiring
{
    private static final Object THREAD = new Object();

    private final String name;
    private final Collection<String> channels;
    private final ReplayEngine.Output output;
    private long timeNs;

    OfflineWiring(final String name, final Collection<String> channels, final ReplayEngine.Output output)
    {
        this.name = name;
        this.channels = channels;
        this.output = output;
    }

    /** Sets the clock to the time of a record, unless it is later. */
    void passTime(final long recordedNs)
    {
        timeNs = Math.max(timeNs, recordedNs);
    }

    @Override
    public String qualifiedName()
    {
        return name;
    }

    @Override
    public Clock clock()
    {
        return () -> timeNs;
    }

    @Override
    public ThreadFactory threads()
    {
        return Executors.defaultThreadFactory();
    }

    @Override
    public int workers()
    {
        return 1;
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return 1;
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        return THREAD;
    }

    @Override
    public Collection<String> channels()
    {
        return channels;
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        final Map<String, EventBatchSink> sinks = new LinkedHashMap<>();
        // A separate sink for each query, because queries that share one may share a batch.
        queryIds.forEach(query -> sinks.put(query, new QueryRows(query, output)));
        return sinks;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        output.rejected(rows, reason, detail);
    }

    /** The rows of a query. */
    private record QueryRows(String query, ReplayEngine.Output output) implements EventBatchSink
    {
        @Override
        public void onBatch(final EventBatch batch)
        {
            output.rows(query, batch);
        }
    }
}

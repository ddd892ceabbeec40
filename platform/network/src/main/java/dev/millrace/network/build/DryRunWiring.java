package dev.millrace.network.build;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** The surroundings of a processor that is compiled as a trial; no row enters or leaves it. */
public record DryRunWiring(String qualifiedName, NetworkServices services, int workers)
    implements ProcessorWiring
{
    private static final Object SOURCE_THREAD = new Object();

    @Override
    public Clock clock()
    {
        return services.clock();
    }

    @Override
    public ThreadFactory threads()
    {
        return services.threads();
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return 1;
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        return SOURCE_THREAD;
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        // A separate sink for each query, because queries that share a sink may share a batch.
        queryIds.forEach(query -> sinks.put(query, new NoSink()));
        return sinks;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("internal error, please report it: a processor on trial received rows, "
            + "processor=" +
            qualifiedName);
    }

    /** Replaces the channels below. */
    private static final class NoSink implements EventBatchSink
    {
        @Override
        public void onBatch(final EventBatch batch)
        {
            throw new IllegalStateException("internal error, please report it: a processor on trial emitted rows");
        }
    }
}

package dev.millrace.network.build;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.NetworkServices;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** Surrounds a processor that is compiled to see whether it can be; no row reaches it and none leaves it. */
record TrialWiring(String qualifiedName, NetworkServices services, int workers)
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
        // A sink of its own for each: those that share one may share a batch.
        queryIds.forEach(query -> sinks.put(query, new NoSink()));
        return sinks;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("our bug, please report it: a processor on trial got rows, processor=" +
            qualifiedName);
    }

    /** Stands where channels would be. */
    private static final class NoSink implements EventBatchSink
    {
        @Override
        public void onBatch(final EventBatch batch)
        {
            throw new IllegalStateException("our bug, please report it: a processor on trial put rows out");
        }
    }
}

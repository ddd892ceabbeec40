package dev.millrace.embedded;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.concurrent.ThreadFactory;

/**
 * The services of an embedded network: rules that are planned already, daemon threads.
 *
 * @param planned        of the only processor
 * @param clock          of event times and heartbeats
 * @param memory         limit of state
 * @param defaultWorkers threads of partitioned rules
 */
record EmbeddedServices(PlannedProcessor planned, Clock clock, MemoryBudget memory, int defaultWorkers)
    implements NetworkServices
{
    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return (definition, channels) -> planned;
    }

    @Override
    public ThreadFactory threads()
    {
        return work ->
        {
            final Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        };
    }
}

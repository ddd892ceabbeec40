package dev.millrace.network;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.OutputPermit;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.concurrent.ThreadFactory;

/** What a server gives its networks. Safe for all threads. */
public interface NetworkServices
{
    /**
     * Finds the maker of a kind of processors.
     *
     * @param name provider, for example {@code cql}
     * @return the provider, or {@code null} when there is none of that name
     */
    ProcessorProvider processorProvider(String name);

    /**
     * The clock of event time and of heartbeats.
     *
     * @return clock
     */
    Clock clock();

    /**
     * Threads for adapters, queues, workers and heartbeats; the network names them.
     *
     * @return makes daemon threads
     */
    ThreadFactory threads();

    /**
     * How many workers a PARTITION_ORDERED processor gets that asks for none.
     *
     * @return at least 1
     */
    int defaultWorkers();

    /**
     * What everything that grows with input may take together.
     *
     * @return the same for all networks of an instance; by default one of its own without a limit
     */
    default MemoryBudget memory()
    {
        return MemoryBudget.unlimited();
    }

    /**
     * What the ends of the network ask before they put out.
     *
     * @return {@link OutputPermit#ALWAYS} unless the instance is in a cluster
     */
    default OutputPermit outputPermit()
    {
        return OutputPermit.ALWAYS;
    }

    /**
     * Shares the rows of channels out among members.
     *
     * @return {@code null} when the instance is in no cluster
     */
    default PartitionedChannels partitionedChannels()
    {
        return null;
    }
}

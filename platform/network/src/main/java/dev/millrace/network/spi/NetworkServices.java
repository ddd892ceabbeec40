package dev.millrace.network.spi;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.time.Clock;
import java.util.concurrent.ThreadFactory;

/** The services that a server provides to its networks. Thread-safe. */
public interface NetworkServices
{
    /**
     * Finds the factory of a kind of processors.
     *
     * @param name provider, for example {@code cql}
     * @return the provider, or {@code null} if no provider has that name
     */
    ProcessorProvider processorProvider(String name);

    /**
     * The clock of event time and of heartbeats.
     *
     * @return clock
     */
    Clock clock();

    /**
     * Returns the factory of threads for adapters, queues, workers and heartbeats; the network names the threads.
     *
     * @return creates daemon threads
     */
    ThreadFactory threads();

    /**
     * Returns the number of workers of a PARTITION_ORDERED processor whose definition specifies none.
     *
     * @return at least 1
     */
    int defaultWorkers();

    /**
     * Returns the memory budget shared by everything that grows with the input.
     *
     * @return the same for all networks of an instance; by default a separate budget without a limit
     */
    default MemoryBudget memory()
    {
        return MemoryBudget.unlimited();
    }

    /**
     * Returns the storage of a durable processor.
     *
     * @param application name of the application
     * @param processor   id of the processor
     * @return {@code null} where nothing survives the process, as in tests
     */
    default DurableStorage durableStorage(final String application, final String processor)
    {
        return null;
    }

    /**
     * Returns the event store, where stages record events.
     *
     * @return {@code null} if the server has none
     */
    default EventStore eventStore()
    {
        return null;
    }

    /**
     * Returns the permit that stages without listeners check before they emit rows.
     *
     * @return {@link OutputPermit#ALWAYS} unless the instance is in a cluster
     */
    default OutputPermit outputPermit()
    {
        return OutputPermit.ALWAYS;
    }

    /**
     * Returns the service that partitions the rows of channels across members.
     *
     * @return {@code null} when the instance is in no cluster
     */
    default PartitionedChannels partitionedChannels()
    {
        return null;
    }
}

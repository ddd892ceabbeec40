package dev.millrace.tuning.engine;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/**
 * The services that a server provides to a network, provided by a benchmark: CQL processors with one worker by default,
 * daemon threads, a clock. Types are added by the thread that builds the network; any thread may request threads.
 */
public final class BenchServices implements NetworkServices, EventTypeRepository
{
    private final Clock clock;
    private final Map<String, EventType> types = new LinkedHashMap<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private DurableStorage storage;

    /**
     * @param clock time of events
     */
    public BenchServices(final Clock clock, final EventType... types)
    {
        this.clock = clock;
        for (final EventType type : types)
        {
            add(type);
        }
    }

    /** Adds a type of events. */
    public void add(final EventType type)
    {
        types.put(type.name(), type);
    }

    /** Sets the storage of processors, which are durable from then on. */
    void storage(final DurableStorage ofProcessors)
    {
        storage = ofProcessors;
    }

    @Override
    public DurableStorage durableStorage(final String application, final String processor)
    {
        return storage;
    }

    /** The threads that the network has requested so far: none as long as its source threads do all the work. */
    public List<Thread> made()
    {
        return threads;
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return new CqlProcessorProvider();
    }

    @Override
    public Clock clock()
    {
        return clock;
    }

    @Override
    public ThreadFactory threads()
    {
        return work ->
        {
            final Thread thread = new Thread(work);
            thread.setDaemon(true);
            threads.add(thread);
            return thread;
        };
    }

    @Override
    public int defaultWorkers()
    {
        return 1;
    }

    @Override
    public EventType eventType(final String name)
    {
        return types.get(name);
    }

    @Override
    public Collection<EventType> eventTypes()
    {
        return types.values();
    }
}

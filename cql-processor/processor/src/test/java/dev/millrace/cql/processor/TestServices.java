package dev.millrace.cql.processor;

import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/**
 * The services that a server provides to a network, for tests: CQL processors, system time, daemon threads, some event
 * types.
 */
final class TestServices implements NetworkServices, EventTypeRepository
{
    private static final ProcessorProvider REMEMBERING = new CqlProcessorProvider(new FlowRun.RememberedClasses());

    private final List<EventType> types;
    private final List<Thread> made = new CopyOnWriteArrayList<>();
    private DurableStorage storage;

    TestServices(final EventType... types)
    {
        this.types = List.of(types);
    }

    /** The storage of the only durable processor. */
    TestServices storage(final DurableStorage there)
    {
        storage = there;
        return this;
    }

    @Override
    public DurableStorage durableStorage(final String application, final String processor)
    {
        return storage;
    }

    /** The threads that were requested. */
    List<Thread> made()
    {
        return made;
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        // Tests of durable processors start the same rules many times.
        return storage == null ? new CqlProcessorProvider() : REMEMBERING;
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return work ->
        {
            final Thread thread = new Thread(work);
            thread.setDaemon(true);
            made.add(thread);
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
        return types.stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
    }

    @Override
    public Collection<EventType> eventTypes()
    {
        return types;
    }
}

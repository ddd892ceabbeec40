package dev.millrace.cql.processor.durable.standby;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The environment of a copy of a processor that follows its journals: it has the same threads by name, none of which is
 * started, its rows are emitted and counted by the processor itself, and its memory has no limit, because it must
 * accept what the processor has accepted. Thread-safe as the one of the processor.
 */
public final class StandbyWiring implements ProcessorWiring
{
    private final ProcessorWiring active;
    private final DurableStorage storage;
    private final MemoryBudget memory = MemoryBudget.unlimited();

    public StandbyWiring(final ProcessorWiring active, final DurableStorage storage)
    {
        this.active = active;
        this.storage = storage;
    }

    /** The memory of all state. */
    public long memoryBytes()
    {
        return memory.takenBytes();
    }

    @Override
    public MemoryAccount openMemory(final String rule, final String part)
    {
        return memory.open(new MemoryHolder("", "", rule, part));
    }

    @Override
    public DurableStorage storage()
    {
        return storage;
    }

    @Override
    public String qualifiedName()
    {
        return active.qualifiedName();
    }

    @Override
    public Clock clock()
    {
        return active.clock();
    }

    @Override
    public ThreadFactory threads()
    {
        return Executors.defaultThreadFactory();
    }

    @Override
    public int workers()
    {
        return active.workers();
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return active.sourceThreads(channelId);
    }

    @Override
    public Collection<String> channels()
    {
        return active.channels();
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        return active.sourceThread(channelId);
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        throw new UnsupportedOperationException("internal error, please report it: a standby opens outputs");
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        // The processor has counted them.
    }
}

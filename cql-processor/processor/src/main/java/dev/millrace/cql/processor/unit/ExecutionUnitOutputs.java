package dev.millrace.cql.processor.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** The network environment of one unit; records the outputs that it opens. Not thread-safe. */
public final class ExecutionUnitOutputs implements ProcessorWiring
{
    private static final int NAMED_QUERIES = 3;

    private final ProcessorWiring network;
    private final OutputOpener opener;
    private final Map<String, List<EventBatchSink>> outputs = new LinkedHashMap<>();
    private final List<MemoryAccount> memory = new ArrayList<>();

    /**
     * @param network environment of the processor
     * @param opener  opens the outputs of queries
     */
    ExecutionUnitOutputs(final ProcessorWiring network, final OutputOpener opener)
    {
        this.network = network;
        this.opener = opener;
    }

    /** The opened outputs, by query. */
    Map<String, List<EventBatchSink>> outputs()
    {
        return outputs;
    }

    /** An account for the state of queries that run as one, on one worker. */
    MemoryAccount openMemory(final List<String> queries)
    {
        final int more = queries.size() - NAMED_QUERIES;
        return openMemory(String.join(",", queries.subList(0, Math.min(NAMED_QUERIES, queries.size()))) +
            (more > 0 ? " and " + more + " more" : ""), "state");
    }

    /** The opened accounts. */
    List<MemoryAccount> memory()
    {
        return memory;
    }

    @Override
    public String qualifiedName()
    {
        return network.qualifiedName();
    }

    @Override
    public MemoryAccount openMemory(final String rule, final String part)
    {
        final MemoryAccount account = network.openMemory(rule, part);
        memory.add(account);
        return account;
    }

    @Override
    public Clock clock()
    {
        return network.clock();
    }

    @Override
    public ThreadFactory threads()
    {
        return network.threads();
    }

    @Override
    public DurableStorage storage()
    {
        return network.storage();
    }

    @Override
    public int workers()
    {
        return network.workers();
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return network.sourceThreads(channelId);
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        return network.sourceThread(channelId);
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        final Map<String, EventBatchSink> opened = opener.open(queryIds);
        queryIds.forEach(query -> outputs.computeIfAbsent(query, id -> new ArrayList<>()).add(opened.get(query)));
        return opened;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        network.reject(rows, reason, detail);
    }
}

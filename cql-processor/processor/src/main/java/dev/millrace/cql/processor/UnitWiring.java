package dev.millrace.cql.processor;

import dev.millrace.api.event.DictionaryDomains;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** What one unit gets of the network; remembers the outputs that it opens. Used by one thread. */
final class UnitWiring implements ProcessorWiring
{
    private final ProcessorWiring network;
    private final DictionaryDomains domains;
    private final OutputOpener opener;
    private final Map<String, List<EventBatchSink>> outputs = new LinkedHashMap<>();

    /**
     * Makes a wiring.
     *
     * @param network what the processor got
     * @param domains know the types of the unit's outputs
     * @param opener  opens the outputs of queries
     */
    UnitWiring(final ProcessorWiring network, final DictionaryDomains domains, final OutputOpener opener)
    {
        this.network = network;
        this.domains = domains;
        this.opener = opener;
    }

    /** What was opened, by query. */
    Map<String, List<EventBatchSink>> outputs()
    {
        return outputs;
    }

    @Override
    public String qualifiedName()
    {
        return network.qualifiedName();
    }

    @Override
    public DictionaryDomains domains()
    {
        return domains;
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

package dev.millrace.network.processor;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/** The surroundings of a processor: the server, the threads of the channels above, its outputs. Thread-safe. */
final class StageWiring implements ProcessorWiring
{
    private final String id;
    private final ProcessorEnvironment environment;
    private final Map<String, List<Object>> threadsOf;
    private final PlannedOutputs outputs;
    private final StageConditions conditions;
    private final StageMeter meter;

    /**
     * @param id        of the processor
     * @param threadsOf source threads of each channel above
     */
    StageWiring(final String id, final ProcessorEnvironment environment, final Map<String, List<Object>> threadsOf,
        final PlannedOutputs outputs, final StageConditions conditions, final StageMeter meter)
    {
        this.id = id;
        this.environment = environment;
        this.threadsOf = threadsOf;
        this.outputs = outputs;
        this.conditions = conditions;
        this.meter = meter;
    }

    /** The thread that runs the whole processor; {@code null} if there are several. */
    Object onlyThread()
    {
        return threadsOf.values().stream().allMatch(threads -> threads.size() == 1) &&
            threadsOf.values().stream().flatMap(List::stream).distinct().count() == 1 && workers() == 1 ?
            threadsOf.values().iterator().next().get(0) : null;
    }

    @Override
    public String qualifiedName()
    {
        return environment.qualifiedName();
    }

    @Override
    public MemoryAccount openMemory(final String rule, final String part)
    {
        return environment.memory().open(id, rule, part);
    }

    @Override
    public Clock clock()
    {
        return environment.clock();
    }

    @Override
    public ThreadFactory threads()
    {
        return environment.threads();
    }

    @Override
    public int workers()
    {
        return environment.workers();
    }

    @Override
    public DurableStorage storage()
    {
        return environment.storage();
    }

    @Override
    public Collection<String> channels()
    {
        return threadsOf.keySet();
    }

    @Override
    public int sourceThreads(final String channelId)
    {
        return threadsOf.getOrDefault(channelId, List.of()).size();
    }

    @Override
    public Object sourceThread(final String channelId)
    {
        final List<Object> threads = threadsOf.getOrDefault(channelId, List.of());
        return threads.size() == 1 ? threads.get(0) : null;
    }

    @Override
    public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
    {
        return outputs.open(queryIds);
    }

    @Override
    public Map<String, EventBatchSink> openEarlierOutputs(final List<QueryOutput> queries)
    {
        return outputs.openEarlier(queries);
    }

    @Override
    public StageConditions conditions()
    {
        return conditions;
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        meter.rejections().count(rows, reason, detail, null);
    }
}

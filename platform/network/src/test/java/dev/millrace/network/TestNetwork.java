package dev.millrace.network;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.OutputPermit;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Builds small networks for tests and reads their statistics. */
final class TestNetwork implements NetworkServices, EventTypeRepository
{
    static final ChannelStage.Time NO_HEARTBEAT = new ChannelStage.Time(null, true, 0);

    final Map<String, ProcessorProvider> providers = new HashMap<>();
    Clock clock = Clock.SYSTEM;
    int defaultWorkers = 1;
    OutputPermit permit = OutputPermit.ALWAYS;
    MemoryBudget memory = MemoryBudget.unlimited();
    private final List<StageDefinition> stages = new ArrayList<>();
    private final List<Cache> caches = new ArrayList<>();
    final List<RecordingSettings> recordings = new ArrayList<>();
    final List<PlaybackSettings> playbacks = new ArrayList<>();
    EventStore events;
    private int line;

    TestNetwork bean(final String id, final Object instance, final String... listeners)
    {
        stages.add(new BeanStage(id, false, instance, List.of(listeners), position()));
        return this;
    }

    TestNetwork adapter(final String id, final Object instance, final String... listeners)
    {
        stages.add(new BeanStage(id, true, instance, List.of(listeners), position()));
        return this;
    }

    TestNetwork channel(final String id, final EventType type, final String... listeners)
    {
        return channel(id, type, ChannelStage.Queue.PASS_THROUGH, NO_HEARTBEAT, listeners);
    }

    TestNetwork channel(
        final String id,
        final EventType type,
        final ChannelStage.Queue queue,
        final ChannelStage.Time time,
        final String... listeners)
    {
        return channel(new ChannelStage(
            id, type, false, List.of(), queue, false, time, List.of(), List.of(listeners), position()));
    }

    TestNetwork channel(final ChannelStage channel)
    {
        stages.add(channel);
        return this;
    }

    TestNetwork relation(final String id, final EventType type, final List<String> key, final String... listeners)
    {
        return channel(new ChannelStage(id, type, true, key, ChannelStage.Queue.PASS_THROUGH, false, NO_HEARTBEAT,
            List.of(), List.of(listeners), position()));
    }

    TestNetwork batching(final String id, final EventType type, final String... listeners)
    {
        return channel(new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, true,
            NO_HEARTBEAT, List.of(), List.of(listeners), position()));
    }

    TestNetwork selecting(final String id, final EventType type, final List<String> selector, final String... listeners)
    {
        return channel(new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
            NO_HEARTBEAT, selector, List.of(listeners), position()));
    }

    TestNetwork processor(final String id, final int workers, final String... listeners)
    {
        stages.add(new ProcessorStage(
            id, "echo", List.of(), Map.of(), workers, List.of(listeners), position()));
        return this;
    }

    TestNetwork cache(final Cache cache)
    {
        caches.add(cache);
        return this;
    }

    Network build() throws DeploymentException
    {
        return Network.build(definition(), this);
    }

    private NetworkDefinition definition()
    {
        return new NetworkDefinition("app", this, stages, caches, List.of(), recordings, playbacks, List.of());
    }

    /** Prepares this network as the next version of another one. */
    PreparedNetwork prepare() throws DeploymentException
    {
        return PreparedNetwork.of(definition(), this);
    }

    Network start() throws DeploymentException
    {
        final Network network = build();
        network.start();
        return network;
    }

    private SourcePosition position()
    {
        return new SourcePosition("test.xml", ++line, 3);
    }

    /** Records a stage from the start of the network on. */
    TestNetwork record(final String stage, final String dataset, final String... types)
    {
        recordings.add(new RecordingSettings(stage, dataset, List.of(types), null, TimeRange.ALL, position()));
        return this;
    }

    /** Makes a stage ready for playback. */
    TestNetwork playback(final String stage, final String dataset, final String... types)
    {
        playbacks.add(playbackSettings(stage, dataset, types));
        return this;
    }

    PlaybackSettings playbackSettings(final String stage, final String dataset, final String... types)
    {
        return new PlaybackSettings(stage, dataset, List.of(types), null, null, null, false, 1, false, position());
    }

    @Override
    public EventStore eventStore()
    {
        return events;
    }

    @Override
    public MemoryBudget memory()
    {
        return memory;
    }

    @Override
    public OutputPermit outputPermit()
    {
        return permit;
    }

    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    static Map<String, Object> stage(final Network network, final String id)
    {
        return ((List<Map<String, Object>>)network.statistics().get("stages")).stream()
            .filter(stage -> stage.get("id").equals(id)).findFirst().orElseThrow();
    }

    static long figure(final Network network, final String id, final String name)
    {
        return ((Number)stage(network, id).get(name)).longValue();
    }

    @SuppressWarnings("unchecked") // As above.
    static long rejected(final Network network, final String id, final String reason)
    {
        return ((Map<String, Long>)stage(network, id).get("rejectedBy")).getOrDefault(reason, 0L);
    }

    static void await(final String what, final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return providers.get(name);
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
            return thread;
        };
    }

    @Override
    public int defaultWorkers()
    {
        return defaultWorkers;
    }

    @Override
    public EventType eventType(final String name)
    {
        return eventTypes().stream().filter(type -> type.name().equals(name)).findFirst().orElse(null);
    }

    @Override
    public Collection<EventType> eventTypes()
    {
        return stages.stream().filter(ChannelStage.class::isInstance)
            .map(stage -> ((ChannelStage)stage).eventType()).distinct().toList();
    }
}

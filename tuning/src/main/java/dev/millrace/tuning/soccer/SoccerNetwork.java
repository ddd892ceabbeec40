package dev.millrace.tuning.soccer;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The network of one of the DEBS 2013 queries, as a server builds it. Not thread-safe; the network has its own threads.
 *
 * <pre>
 *   positions ─► sensors ─┬─ legs ────┬─► before ─► paces, spells or seconds ─┬─► match ─► a channel per query ─► sink
 *                  ▲      ├─ strikes ─┼─────────────── (q4) ──────────────────┘
 *    Sensors (cache)      ├─ outs ────┤
 *                         ├─ aims ────┘
 *   interruptions ────────┘
 * </pre>
 */
final class SoccerNetwork implements AutoCloseable
{
    private final BenchServices services =
        new BenchServices(Clock.SYSTEM, SoccerEventTypes.POSITION, SoccerEventTypes.SENSOR,
        SoccerEventTypes.INTERRUPTION);
    private final BenchNetwork.Feed positions = new BenchNetwork.Feed();
    private final BenchNetwork.Feed interruptions = new BenchNetwork.Feed();
    private final Network network;
    private final boolean hasInterruptions;

    /**
     * Deploys a query.
     *
     * @param query q1 to q4
     * @param sinks returns the sink of a statement's rows by its id
     */
    SoccerNetwork(final String query, final Function<String, EventBatchSink> sinks)
    {
        final List<Rule> rules = SoccerQueries.read(query);
        final List<Rule> before = SoccerQueries.before(query);
        final List<Rule> readers = before.isEmpty() ? rules : before;
        final String reader = before.isEmpty() ? "match" : "before";
        final List<Rule> sensors = SoccerQueries.readBy(SoccerQueries.read("sensors"), readers);
        hasInterruptions = readers.stream().anyMatch(rule -> rule.text().contains("interruptions"));
        final List<StageDefinition> stages = new ArrayList<>();
        stages.add(new BeanStage("replay", true, positions, List.of("positions"), SourcePosition.NONE));
        stages.add(channel("positions", SoccerEventTypes.POSITION, true, List.of(), "sensors"));
        stages.add(processor("sensors", sensors,
            Map.of("Sensors", new ProcessorStage.CacheSource(sensorCache(), sensorSettings())), ""));
        queries(sensors).forEach(id -> stages.add(channel(id, SoccerEventTypes.BETWEEN.get(id), true, List.of(id),
            reader)));
        if (!before.isEmpty())
        {
            stages.add(processor("before", before, Map.of(), ""));
            queries(before).forEach(id -> stages.add(
                channel(id, SoccerEventTypes.BETWEEN.get(id), false, List.of(id), "match")));
        }
        if (hasInterruptions)
        {
            stages.add(
                new BeanStage("referee", true, interruptions, List.of("interruptions"), SourcePosition.NONE));
            stages.add(channel("interruptions", SoccerEventTypes.INTERRUPTION, true, List.of(), reader));
        }
        stages.add(processor("match", rules, Map.of(), "out-"));
        for (final String id : queries(rules))
        {
            final String channel = "out-" + id;
            stages.add(new ChannelStage(channel, SoccerEventTypes.of(id), false, List.of(),
                ChannelStage.Queue.PASS_THROUGH,
                false, new ChannelStage.Time(null, true, 0), List.of(id), List.of(channel + "-sink"),
                SourcePosition.NONE));
            stages.add(new BeanStage(channel + "-sink", false, sinks.apply(id), List.of(), SourcePosition.NONE));
        }
        network = start(new NetworkDefinition("match", services, stages, List.of()));
    }

    private Network start(final NetworkDefinition definition)
    {
        try
        {
            final Network built = Network.build(definition, services);
            built.start();
            return built;
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the match cannot be deployed: " + e.problems(), e);
        }
    }

    private static List<String> queries(final List<Rule> rules)
    {
        return rules.stream().filter(rule -> !rule.view()).map(Rule::id).toList();
    }

    private static ProcessorStage processor(final String id, final List<Rule> rules,
        final Map<String, ProcessorStage.CacheSource> caches, final String channelPrefix)
    {
        return new ProcessorStage(id, CqlProcessorProvider.TYPE, rules, caches, 1,
            queries(rules).stream().map(query -> channelPrefix + query).toList(), SourcePosition.NONE);
    }

    private static ChannelStage channel(final String id, final EventType type, final boolean increases,
        final List<String> selector, final String listener)
    {
        return new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
            new ChannelStage.Time("at", increases, 0), selector, List.of(listener), SourcePosition.NONE);
    }

    private static CacheSettings sensorSettings()
    {
        return new CacheSettings("sensorCache", SoccerEventTypes.SENSOR, List.of("sid"), 1000, null);
    }

    private static Cache sensorCache()
    {
        final Cache cache = new LocalCachingSystem().createCache(sensorSettings());
        for (final Pitch.Sensor[] sensors : List.of(Pitch.wornSensors(), Pitch.balls()))
        {
            for (final Pitch.Sensor each : sensors)
            {
                cache.put(each.sid(),
                    new TupleEvent(SoccerEventTypes.SENSOR, each.sid(), each.kind(), each.player(), each.team()));
            }
        }
        return cache;
    }

    /** A batch to fill and send. */
    EventBatch positionBatch()
    {
        return new EventBatch(positions.sender().schema());
    }

    /** Sends rows of sensors, or a heartbeat. */
    void send(final EventBatch batch)
    {
        positions.sender().send(batch);
    }

    /** Whether the query reads interruptions. */
    boolean hasInterruptions()
    {
        return hasInterruptions;
    }

    /** A batch of interruptions to fill and send. */
    EventBatch interruptionBatch()
    {
        return new EventBatch(interruptions.sender().schema());
    }

    /** Sends interruptions, or a heartbeat. */
    void sendInterruptions(final EventBatch batch)
    {
        interruptions.sender().send(batch);
    }

    /** The threads of the network: a flow that reads channels of several sources has a worker. */
    List<Thread> helpers()
    {
        return services.made();
    }

    /** Waits until everything that was sent is processed. */
    void drain()
    {
        try
        {
            network.suspend();
            network.resume();
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the match cannot continue: " + e.problems(), e);
        }
    }

    @Override
    public void close()
    {
        network.stop();
    }
}

package dev.millrace.tuning.nexmark;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.tuning.engine.BenchServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The network of one Nexmark query, as a server builds it: one source whose thread feeds all channels, channels with
 * application time, the processor, a channel for the result (with all columns as its key when rows also leave) and a
 * sink. Persons, auctions and bids pass through one bean each, so that they have one source. Not thread-safe.
 */
public final class NexmarkNetwork implements AutoCloseable
{
    private static final EventType SIDE = EventType.tuple("SideInput",
        new EventProperty("key", CqlType.BIGINT), new EventProperty("value", CqlType.CHAR));

    private static final UserObjects FUNCTIONS = new UserObjects(List.of(), List.of(), List.of(),
        name -> name.equals(NexmarkFunctions.class.getName()) ? NexmarkFunctions.class : null);

    private final BenchServices services = new BenchServices(Clock.SYSTEM, NexmarkFeed.BID, NexmarkFeed.AUCTION,
        NexmarkFeed.PERSON, NexmarkFeed.POSITION, SIDE);
    private final List<StageDefinition> stages = new ArrayList<>();
    private final List<Relay> relays = new ArrayList<>();
    private final Network network;

    /** A bean that lets the feed send into its channel. */
    private static final class Relay implements EventBatchSink, EventBatchSource
    {
        private EventBatchSender sender;

        @Override
        public void setBatchSender(final EventBatchSender toUse)
        {
            sender = toUse;
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            sender.send(batch);
        }
    }

    /**
     * Builds and starts it.
     *
     * @param query       what runs
     * @param uniqueTimes whether no two events of a channel have the same time
     * @param sink        takes the result
     * @throws DeploymentException when the engine refuses the query
     */
    public NexmarkNetwork(final NexmarkQuery query, final boolean uniqueTimes, final EventBatchSink sink)
        throws DeploymentException
    {
        this(query, uniqueTimes, 1, sink);
    }

    /**
     * Builds and starts it with several workers.
     *
     * @param query       what runs
     * @param uniqueTimes whether no two events of a channel have the same time
     * @param workers     of the processor
     * @param sink        takes the result
     * @throws DeploymentException when the engine refuses the query
     */
    public NexmarkNetwork(final NexmarkQuery query, final boolean uniqueTimes, final int workers,
        final EventBatchSink sink)
        throws DeploymentException
    {
        final EventType result = NexmarkFeed.type("Result", String.join(" ", query.columns()));
        services.add(result);
        final List<EventType> types = switch (query.feed())
        {
            case BIDS -> List.of(NexmarkFeed.BID);
            case POSITIONS -> List.of(NexmarkFeed.POSITION);
            default -> List.of(NexmarkFeed.BID, NexmarkFeed.AUCTION, NexmarkFeed.PERSON);
        };
        stages.add(new BeanStage("feed", true, new Relay(), List.of("clock"), SourcePosition.NONE));
        stages.add(new ChannelStage("clock", NexmarkFeed.POSITION, false, List.of(), ChannelStage.Queue.PASS_THROUGH,
            false, new ChannelStage.Time(null, true, 0), List.of(),
            types.stream().map(type -> "relay-" + type.name()).toList(), SourcePosition.NONE));
        for (final EventType type : types)
        {
            final Relay relay = new Relay();
            relays.add(relay);
            stages.add(
                new BeanStage("relay-" + type.name(), false, relay, List.of(type.name()), SourcePosition.NONE));
            stages.add(new ChannelStage(type.name(), type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
                new ChannelStage.Time("dt", uniqueTimes, 0), List.of(), List.of("query"), SourcePosition.NONE));
        }
        stages.add(new ProcessorStage("query", CqlProcessorProvider.TYPE, rules(query), caches(),
            FUNCTIONS, workers, List.of("out"), SourcePosition.NONE));
        final List<String> key = query.relation() ?
            result.properties().stream().map(EventProperty::name).toList() : List.of();
        stages.add(new ChannelStage("out", result, query.relation(), key, ChannelStage.Queue.PASS_THROUGH, false,
            new ChannelStage.Time(null, uniqueTimes, 0), List.of(), List.of("sink"), SourcePosition.NONE));
        stages.add(new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
        network = Network.build(new NetworkDefinition("nexmark", services, stages, List.of()), services);
        network.start();
    }

    private static List<ProcessorStage.Rule> rules(final NexmarkQuery query)
    {
        return query.statements().stream().map(each -> new ProcessorStage.Rule(each.id(), each.view(), each.text(),
            each.columns(), each.view() || query.partition().isEmpty() ? "ORDERED" : "PARTITION_ORDERED",
            each.view() || query.partition().isEmpty() ? null : query.partition(), true, SourcePosition.NONE)).toList();
    }

    private static Map<String, ProcessorStage.CacheSource> caches()
    {
        final CacheSettings settings = new CacheSettings("side", SIDE, List.of("key"), SideTable.SIZE, null);
        final Cache cache = new LocalCachingSystem().createCache(settings);
        final String[] values = SideTable.values();
        for (long i = 0; i < values.length; i++)
        {
            cache.put(i, new TupleEvent(SIDE, i, values[(int)i]));
        }
        return Map.of("Side", new ProcessorStage.CacheSource(cache, settings));
    }

    /** A feed that plays into it. */
    public NexmarkFeed feed(final NexmarkData data, final Feed feed)
    {
        return new NexmarkFeed(data, feed, relays.stream()
            .map(relay -> new NexmarkFeed.Lane(relay.sender.schema(), relay.sender::send))
            .toArray(NexmarkFeed.Lane[]::new));
    }

    /** Threads that the network has created: none while the source's thread does all work. */
    public List<Thread> helpers()
    {
        return services.made();
    }

    /** Waits until all sent rows are processed. */
    public void drain()
    {
        if (helpers().isEmpty())
        {
            return;
        }
        try
        {
            network.suspend();
            network.resume();
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("rows are stuck in the benchmark's network: " + e.problems(), e);
        }
    }

    /** Returns the number of rows that stages have rejected so far. */
    public long rejectedRows()
    {
        return ((List<?>)network.statistics().get("stages")).stream()
            .mapToLong(stage -> ((Number)((Map<?, ?>)stage).get("rowsRejected")).longValue()).sum();
    }

    @Override
    public void close()
    {
        network.stop();
    }
}

package dev.millrace.embedded.application;

import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Adapts the definition of an application to one process: feeds above and observers below its channels, and all rows on
 * the thread that sends them, so that a run can be repeated. Used once.
 */
final class BoundaryStages
{
    private static final String INPUT = "#input";
    private static final String ROWS = "#rows";

    private final Set<String> inputs;
    private final Predicate<String> isObserved;
    private final RowObserver observer;
    private final boolean isConnected;
    private final Map<String, RowFeed> feeds = new LinkedHashMap<>();
    /** The feeds directly above each channel. */
    private final Map<String, List<RowFeed>> feedsOf = new LinkedHashMap<>();

    /**
     * @param inputs      channels that get a feed unless they are below one, in addition to the stages above them
     * @param isConnected whether rows of other applications arrive; otherwise feeds replace their stages
     */
    BoundaryStages(final Set<String> inputs, final Predicate<String> isObserved, final RowObserver observer,
        final boolean isConnected)
    {
        this.isConnected = isConnected;
        this.inputs = inputs;
        this.isObserved = isObserved;
        this.observer = observer;
    }

    /** The feeds of stages and channels, by id. */
    Map<String, RowFeed> feeds()
    {
        return feeds;
    }

    /** The feeds directly above a channel. */
    List<RowFeed> feedsOf(final String channel)
    {
        return feedsOf.getOrDefault(channel, List.of());
    }

    /** The definition of the network to run. Recordings and playbacks are left out: they need an event store. */
    NetworkDefinition adapt(final NetworkDefinition written)
    {
        final List<StageDefinition> stages = new ArrayList<>();
        for (final StageDefinition stage : written.stages())
        {
            if (stage instanceof ChannelStage channel)
            {
                channel(channel, hasFeedAbove(written, channel), stages);
            }
            else if (stage instanceof ProcessorStage processor)
            {
                stages.add(onOneThread(processor));
            }
            else
            {
                bean((BeanStage)stage, stages);
            }
        }
        return new NetworkDefinition(written.applicationName(), written.eventTypes(), stages, written.caches(),
            written.stores(), List.of(), List.of(), written.warnings());
    }

    private boolean isReplaced(final BeanStage bean)
    {
        return bean.instance() instanceof ReplacedStage || bean.connection() != null && !isConnected;
    }

    private boolean hasFeedAbove(final NetworkDefinition written, final ChannelStage channel)
    {
        return written.stages().stream().anyMatch(stage -> stage instanceof BeanStage bean && isReplaced(bean) &&
            bean.listeners().contains(channel.id()));
    }

    private void bean(final BeanStage written, final List<StageDefinition> stages)
    {
        final BeanStage bean = written.connection() == null || isConnected ? written :
            new BeanStage(
                written.id(), written.adapter(), new ReplacedStage(), written.listeners(), written.position());
        if (bean.instance() instanceof ReplacedStage replaced)
        {
            if (!bean.listeners().isEmpty())
            {
                feed(bean.id(), bean.listeners(), replaced);
            }
            if (isObserved.test(bean.id()))
            {
                replaced.observedBy(batch -> observer.onRows(bean.id(), batch));
            }
        }
        stages.add(bean);
    }

    private void feed(final String id, final List<String> below, final ReplacedStage stage)
    {
        final RowFeed feed = new RowFeed(id);
        stage.fedBy(feed);
        feeds.put(id, feed);
        below.forEach(channel -> feedsOf.computeIfAbsent(channel, each -> new ArrayList<>()).add(feed));
    }

    private void channel(final ChannelStage channel, final boolean hasFeedAbove, final List<StageDefinition> stages)
    {
        final String id = channel.id();
        final List<String> listeners = new ArrayList<>(channel.listeners());
        // Rows of a channel with a partitioner go to one of its listeners: another one would receive a part of them.
        if (channel.partitioner() == null && isObserved.test(id))
        {
            listeners.add(id + ROWS);
            final ReplacedStage rows = new ReplacedStage().observedBy(batch -> observer.onRows(id, batch));
            stages.add(new BeanStage(id + ROWS, false, rows, List.of(), SourcePosition.NONE));
        }
        if (inputs.contains(id) && !hasFeedAbove)
        {
            final ReplacedStage input = new ReplacedStage();
            feed(id, List.of(id), input);
            stages.add(new BeanStage(id + INPUT, true, input, List.of(id), SourcePosition.NONE));
        }
        stages.add(new ChannelStage(id, channel.eventType(), channel.relation(), channel.primaryKey(),
            ChannelStage.Queue.PASS_THROUGH, channel.batching(), channel.time(), channel.selector(), listeners,
            channel.position(), channel.changes(), null, channel.partitioner()));
    }

    private static ProcessorStage onOneThread(final ProcessorStage processor)
    {
        return new ProcessorStage(processor.id(), processor.provider(), processor.rules(), processor.cacheSources(),
            processor.objects(), 1, processor.idleStateTime(), processor.maxAttempts(), false,
            processor.listeners(), processor.position());
    }
}

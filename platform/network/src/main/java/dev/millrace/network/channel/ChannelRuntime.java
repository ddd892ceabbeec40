package dev.millrace.network.channel;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.step.ApplicationTimeStep;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.channel.step.ChannelSteps;
import dev.millrace.network.channel.step.LaneWatermarks;
import dev.millrace.network.channel.step.RelationKeys;
import dev.millrace.network.channel.step.SystemTime;
import dev.millrace.network.channel.step.SystemTimeStep;
import dev.millrace.network.channel.step.WatermarkMergeStep;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.StoredRelation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running channel: one inlet per lane, and either one outlet per lane or a queue with one outlet per consumer thread.
 */
public final class ChannelRuntime implements StageRuntime
{
    private static final Logger LOG = LoggerFactory.getLogger(ChannelRuntime.class);

    private final ChannelStage definition;
    private final String qualifiedName;
    private final BatchSchema schema;
    private final StageMeter meter;
    private final ThreadFactory threads;
    private final HeartbeatThread heartbeats;
    private final int consumerCount;
    private final SystemTime systemTime;
    private final ChannelSteps steps;
    private final List<Outlet> outlets = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    /** The exit of the last thread that empties the queue. */
    private Outlet queueOutlet;
    private ChannelQueue queue;
    private SystemTimeStep queueTime;
    private ApplicationTimeStep queueApplicationTime;
    private final ProcessorLanePool lanes = new ProcessorLanePool();
    private final List<String> processorsAbove = new ArrayList<>();
    /** Lanes into the queue that come from processors, by the outlet of the processor. */
    private final Map<Outlet, QueueEntry> queueEntries = new IdentityHashMap<>();
    private final LaneWatermarks laneTimes = new LaneWatermarks();
    private final PartitionedChannels cluster;
    private final MemoryScope memory;
    /** Wiring of a channel that is partitioned across members; otherwise {@code null}. */
    private PartitionedWiring shared;
    /** Of the durable processors below. */
    private final List<Supplier<StoredRelation>> stores = new ArrayList<>();
    private boolean hasEarlierRows;

    /** State of a lane into the queue. */
    private record QueueEntry(LaneCounters counters, WatermarkMergeStep merged)
    {
    }

    /**
     * @param definition    its definition, checked
     * @param qualifiedName {@code application/stage}
     * @param schema        schema of its rows
     * @param consumerCount threads that empty its queue; 0 = pass-through
     * @param clock         of the network
     * @param threads       creates consumer threads
     * @param heartbeats    sends heartbeats on idle lanes
     * @param cluster       partitions rows across members; used only when the definition requires it
     * @param memory        of the application
     */
    public ChannelRuntime(
        final ChannelStage definition,
        final String qualifiedName,
        final BatchSchema schema,
        final int consumerCount,
        final Clock clock,
        final ThreadFactory threads,
        final HeartbeatThread heartbeats,
        final PartitionedChannels cluster,
        final MemoryScope memory)
    {
        this.memory = memory;
        this.cluster = cluster;
        this.definition = definition;
        this.qualifiedName = qualifiedName;
        this.schema = schema;
        this.consumerCount = consumerCount;
        this.threads = threads;
        this.heartbeats = heartbeats;
        meter = new StageMeter(qualifiedName, clock);
        systemTime = new SystemTime(clock);
        steps = new ChannelSteps(definition, schema, meter, memory);
    }

    /**
     * Whether a column can be part of a primary key; false when there is no such property or its values have no fixed
     * size.
     */
    public static boolean isUsableAsKey(final ChannelStage definition, final String property)
    {
        final int column = definition.eventType().indexOf(property);
        return column >= 0 && RelationKeys.isUsable(definition.eventType(), column);
    }

    @Override
    public ChannelStage definition()
    {
        return definition;
    }

    @Override
    public String kind()
    {
        return "channel";
    }

    @Override
    public StageMeter meter()
    {
        return meter;
    }

    @Override
    public List<Outlet> outlets()
    {
        return outlets;
    }

    @Override
    public void wire(final List<Upstream> above)
    {
        final List<Upstream> taken = above.stream().filter(upstream -> takes(upstream.outlet())).toList();
        if (definition.sharing() != null)
        {
            final boolean isTimed = definition.time().timestampProperty() != null || !processorsAbove.isEmpty() ||
                taken.stream().anyMatch(upstream -> !upstream.outlet().isOfSource());
            shared = new PartitionedWiring(cluster, terms(isTimed), meter, steps, new PartitionedWiring.Lanes(
                definition.time().heartbeatNs(), systemTime, heartbeats, this::openOutlet));
            shared.wire(taken);
            return;
        }
        if (consumerCount > 0)
        {
            wireQueue(taken);
            return;
        }
        for (final Upstream upstream : taken)
        {
            wireLane(upstream, openOutlet());
        }
        processorsAbove.stream().filter(processor -> !lanes.has(processor))
            .forEach(processor -> lanes.wired(processor, openOutlet(), null));
    }

    /**
     * Adds a stage below that keeps state of the partitions of a partitioned channel; called after {@link #wire} and
     * before the channel starts. Without effect for other channels.
     */
    public void addKeeper(final PartitionStateHolder keeper)
    {
        if (shared != null)
        {
            shared.addKeeper(keeper);
        }
    }

    private PartitionedChannels.Terms terms(final boolean isTimed)
    {
        return new PartitionedChannels.Terms(qualifiedName.substring(0, qualifiedName.indexOf('/')), definition.id(),
            schema, definition.eventType().indexOf(definition.sharing().property()), definition.sharing().group(),
            isTimed, () -> memory.open(definition.id(), "", "rows for other members"));
    }

    private void wireLane(final Upstream upstream, final Outlet outlet)
    {
        outlet.runsOn(upstream.outlet().thread());
        final SystemTimeStep time = upstream.outlet().isOfSource() ? new SystemTimeStep(systemTime) : null;
        final List<BatchStep> way = steps.kind(upstream);
        if (steps.hasApplicationTime())
        {
            way.add(steps.applicationTime(upstream.outlet().isOfSource()));
        }
        else if (time != null)
        {
            way.add(time);
        }
        steps.addKey(upstream, way);
        final LaneCounters counters = meter.openIn();
        final Inlet inlet = new ChannelInlet(way.toArray(BatchStep[]::new), counters, outlet);
        final Inlet target = steps.enter(upstream, inlet);
        if (upstream.from() instanceof ProcessorStage processor)
        {
            lanes.wired(processor.id(), outlet, new ProcessorLanePool.Entry(upstream.outlet(), target, counters));
        }
        if (time != null && steps.beats())
        {
            heartbeats.add(new LaneHeartbeat(
                definition.time().heartbeatNs(), upstream.outlet().sourceLock(), time, new EventBatch(schema), inlet));
        }
    }

    /**
     * Registers a processor that feeds the channel, so that there is a lane for queries that it starts later. Called
     * before {@link #wire}.
     */
    public void expect(final String processor)
    {
        processorsAbove.add(processor);
    }

    /**
     * Registers a durable processor below, which stores the keys of a relation. Called before {@link #wire}.
     *
     * @param store called when the processor has restored its state; may return {@code null}
     */
    public void storedIn(final Supplier<StoredRelation> store)
    {
        steps.storeKeys();
        stores.add(store);
    }

    /** A durable processor above has emitted rows in an earlier process. Called before {@link #wire}. */
    public void continuesRows()
    {
        hasEarlierRows = true;
    }

    /** Whether the selector of the channel accepts a query of a processor directly above. */
    public boolean takes(final String queryId)
    {
        return definition.selector().isEmpty() || definition.selector().contains(queryId);
    }

    /**
     * Connects a query that starts while the network is running; called while no row of its processor is in transit.
     *
     * @param upstream the processor and the outlet of the rows
     */
    public void attach(final Upstream upstream)
    {
        if (shared != null)
        {
            shared.attach(upstream);
            return;
        }
        if (queue != null)
        {
            synchronized (queue)
            {
                wireQueueLane(upstream, false);
            }
            return;
        }
        final List<BatchStep> way = steps.kind(upstream);
        if (steps.hasApplicationTime())
        {
            way.add(steps.applicationTime(false));
        }
        steps.addKey(upstream, way);
        final LaneCounters counters = meter.openIn();
        final String processor = upstream.from().id();
        final Inlet target = steps.enter(upstream,
            new ChannelInlet(way.toArray(BatchStep[]::new), counters, lanes.choose(processor)));
        lanes.enter(processor, new ProcessorLanePool.Entry(upstream.outlet(), target, counters));
    }

    /**
     * Disconnects a query that stops while the network is running; called while no row of its processor is in transit.
     *
     * @param outlet where its rows left the processor
     */
    public void detach(final Outlet outlet)
    {
        if (shared != null)
        {
            shared.detach(outlet);
            return;
        }
        final QueueEntry entry = queueEntries.remove(outlet);
        final LaneCounters counters = entry == null ? lanes.leave(outlet) : entry.counters();
        if (entry != null && entry.merged() != null)
        {
            synchronized (queue)
            {
                entry.merged().close();
            }
        }
        if (counters != null)
        {
            meter.close(counters);
        }
    }

    private void wireQueue(final List<Upstream> taken)
    {
        queue = new ChannelQueue(schema, definition.queue().maxSizeEvents(), consumerCount,
            definition.queue().rejectsWhenFull(), memory.open(definition.id(), "", "queue"));
        for (int i = 0; i < consumerCount; i++)
        {
            queueOutlet = openOutlet();
            final Thread consumer = threads.newThread(
                new QueueConsumer(queue, queueOutlet, meter.rejections(), consumerCount == 1));
            consumer.setName(qualifiedName + (consumerCount == 1 ? "" : "-" + (i + 1)));
            consumers.add(consumer);
        }
        final boolean fresh = taken.stream().allMatch(upstream -> upstream.outlet().isOfSource());
        queueTime = new SystemTimeStep(systemTime);
        queueApplicationTime = steps.hasApplicationTime() ? steps.applicationTime(fresh) : null;
        taken.forEach(upstream -> wireQueueLane(upstream, fresh));
        if (fresh && !taken.isEmpty() && steps.beats())
        {
            heartbeats.add(new QueueHeartbeat(
                definition.time().heartbeatNs(), queue, queueTime, new EventBatch(schema)));
        }
    }

    private void wireQueueLane(final Upstream upstream, final boolean fresh)
    {
        final List<BatchStep> way = steps.kind(upstream);
        WatermarkMergeStep merged = null;
        if (queueApplicationTime != null)
        {
            way.add(queueApplicationTime);
        }
        else
        {
            if (upstream.outlet().isOfSource())
            {
                way.add(queueTime);
            }
            if (!fresh)
            {
                merged = new WatermarkMergeStep(laneTimes, new EventBatch(schema));
                way.add(merged);
            }
        }
        steps.addKey(upstream, way);
        final LaneCounters counters = meter.openIn();
        steps.enter(upstream, new QueueInlet(queue, way.toArray(BatchStep[]::new), counters, meter.rejections(),
            consumerCount == 1 ? queueOutlet : null));
        if (upstream.from() instanceof ProcessorStage)
        {
            queueEntries.put(upstream.outlet(), new QueueEntry(counters, merged));
        }
    }

    private boolean takes(final Outlet outlet)
    {
        return outlet.queryId() == null || takes(outlet.queryId());
    }

    private Outlet openOutlet()
    {
        final Outlet outlet = new Outlet(schema, null, null, meter.openOut());
        if (definition.partitioner() != null)
        {
            outlet.partitionBy(definition.eventType().indexOf(definition.partitioner()));
        }
        outlets.add(outlet);
        return outlet;
    }

    @Override
    public void start()
    {
        stores.stream().map(Supplier::get).filter(Objects::nonNull).forEach(steps::restoreKeys);
        if (hasEarlierRows && stores.isEmpty())
        {
            steps.passUnknownKeys();
        }
        consumers.forEach(Thread::start);
        if (shared != null)
        {
            shared.join();
        }
    }

    @Override
    public void pause(final Deadline deadline)
    {
        leaveOthers(deadline);
        if (queue != null && !queue.awaitDrained(deadline))
        {
            LOG.warn("queue not empty in time, stage={} rows={}", qualifiedName, queue.rows());
        }
    }

    @Override
    public void resume()
    {
        // Consumers never paused: they wait at the empty queue.
        if (shared != null)
        {
            shared.join();
        }
    }

    @Override
    public boolean hold(final Deadline deadline)
    {
        return (shared == null || shared.hold(deadline)) && (queue == null || queue.awaitDrained(deadline));
    }

    @Override
    public void letGo()
    {
        if (shared != null)
        {
            shared.letGo();
        }
    }

    /** A suspended member owns no partitions. */
    private void leaveOthers(final Deadline deadline)
    {
        if (shared != null && !shared.leave(deadline.remainingNs()))
        {
            LOG.warn("partitions were not transferred in time, stage={}", qualifiedName);
        }
    }

    @Override
    public void stop(final Deadline deadline)
    {
        if (shared != null)
        {
            leaveOthers(deadline);
            shared.close();
        }
        if (queue == null)
        {
            return;
        }
        final boolean drained = consumers.get(0).getState() == Thread.State.NEW || queue.awaitDrained(deadline);
        final int discarded = queue.close(!drained);
        meter.rejections().count(discarded, RejectReason.STOPPED, "still queued when the time limit for the stop had "
            + "passed", null);
        for (final Thread consumer : consumers)
        {
            if (!deadline.join(consumer))
            {
                LOG.warn("a stage below did not return in time, thread={}", consumer.getName());
            }
        }
    }

    @Override
    public void destroy()
    {
        // Holds nothing but memory.
    }

    @Override
    public void describe(final Map<String, Object> figures)
    {
        steps.describe(figures);
        if (shared != null)
        {
            figures.put("partitions", shared.statistics());
        }
        if (queue != null)
        {
            figures.put("queuedRows", queue.rows());
            figures.put("maxSize", definition.queue().maxSizeEvents());
            figures.put("threads", consumerCount);
            figures.put("producerWaits", queue.waits());
        }
    }
}

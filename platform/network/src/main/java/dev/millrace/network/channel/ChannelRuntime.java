package dev.millrace.network.channel;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.lane.ColumnMapping;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.lane.ViewInlet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A channel that runs: one inlet a lane, and either one outlet a lane or a queue with one outlet a thread. */
public final class ChannelRuntime implements StageRuntime
{
    private static final Logger LOG = LoggerFactory.getLogger(ChannelRuntime.class);

    private final ChannelStage definition;
    private final String qualifiedName;
    private final BatchSchema schema;
    private final StageMeter meter;
    private final ThreadFactory threads;
    private final Heartbeats heartbeats;
    private final int consumerCount;
    private final SystemTime systemTime;
    private final RelationKeys keys;
    private final LongAdder deletionsLeftOut = new LongAdder();
    private final List<Outlet> outlets = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();
    private ChannelQueue queue;
    private SystemTimeStep queueTime;
    private ApplicationTimeStep queueApplicationTime;

    /**
     * Makes a channel.
     *
     * @param definition    what it is made of, checked
     * @param qualifiedName {@code application/stage}
     * @param schema        shape of its rows
     * @param consumerCount threads that empty its queue; 0 = pass-through
     * @param clock         of the network
     * @param threads       makes consumer threads
     * @param heartbeats    looks after silent channels
     */
    public ChannelRuntime(
        final ChannelStage definition,
        final String qualifiedName,
        final BatchSchema schema,
        final int consumerCount,
        final Clock clock,
        final ThreadFactory threads,
        final Heartbeats heartbeats)
    {
        this.definition = definition;
        this.qualifiedName = qualifiedName;
        this.schema = schema;
        this.consumerCount = consumerCount;
        this.threads = threads;
        this.heartbeats = heartbeats;
        meter = new StageMeter(qualifiedName, clock);
        systemTime = new SystemTime(clock);
        keys = definition.primaryKey().isEmpty() || !definition.relation() ? null : new RelationKeys(
            definition.primaryKey().stream().mapToInt(definition.eventType()::indexOf).toArray());
    }

    /**
     * Whether a column can be part of a primary key.
     *
     * @param definition of a channel
     * @param property   name
     * @return false when there is no such property or its values have no fixed size
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
        if (consumerCount > 0)
        {
            wireQueue(taken);
            return;
        }
        for (final Upstream upstream : taken)
        {
            final Outlet outlet = openOutlet();
            final List<BatchStep> steps = new ArrayList<>();
            addKindStep(steps, upstream);
            final SystemTimeStep time = upstream.outlet().source() == null ? null : new SystemTimeStep(systemTime);
            if (definition.time().timestampProperty() != null)
            {
                steps.add(applicationTime(upstream.outlet().source() != null));
            }
            else if (time != null)
            {
                steps.add(time);
            }
            addKeyStep(steps);
            final Inlet inlet = new ChannelInlet(steps.toArray(BatchStep[]::new), meter.openIn(), outlet);
            enter(upstream, inlet);
            if (time != null && beats())
            {
                heartbeats.add(new LaneSilence(
                    definition.time().heartbeatNs(), upstream.outlet().source(), time, new EventBatch(schema), inlet));
            }
        }
    }

    private void wireQueue(final List<Upstream> taken)
    {
        queue = new ChannelQueue(schema, definition.queue().maxSizeEvents(), consumerCount);
        for (int i = 0; i < consumerCount; i++)
        {
            final Thread consumer = threads.newThread(
                new QueueConsumer(queue, openOutlet(), meter.rejections()));
            consumer.setName(qualifiedName + (consumerCount == 1 ? "" : "-" + (i + 1)));
            consumers.add(consumer);
        }
        final boolean fresh = taken.stream().allMatch(upstream -> upstream.outlet().source() != null);
        queueTime = new SystemTimeStep(systemTime);
        queueApplicationTime = definition.time().timestampProperty() == null ? null : applicationTime(fresh);
        final long[] laneTimesNs = new long[taken.size()];
        for (int i = 0; i < taken.size(); i++)
        {
            final List<BatchStep> steps = new ArrayList<>();
            addKindStep(steps, taken.get(i));
            if (queueApplicationTime != null)
            {
                steps.add(queueApplicationTime);
            }
            else
            {
                if (taken.get(i).outlet().source() != null)
                {
                    steps.add(queueTime);
                }
                if (!fresh && taken.size() > 1)
                {
                    steps.add(new MergedHeartbeatStep(laneTimesNs, i, new EventBatch(schema)));
                }
            }
            addKeyStep(steps);
            enter(taken.get(i), new QueueInlet(
                queue, steps.toArray(BatchStep[]::new), meter.openIn(), meter.rejections()));
        }
        if (fresh && !taken.isEmpty() && beats())
        {
            heartbeats.add(new QueueSilence(
                definition.time().heartbeatNs(), queue, queueTime, new EventBatch(schema)));
        }
    }

    private boolean takes(final Outlet outlet)
    {
        return outlet.queryId() == null || definition.selector().isEmpty() ||
            definition.selector().contains(outlet.queryId());
    }

    private boolean beats()
    {
        return !definition.relation() && definition.time().timestampProperty() == null &&
            definition.time().heartbeatNs() > 0;
    }

    private Outlet openOutlet()
    {
        final Outlet outlet = new Outlet(schema, null, null, meter.openOut());
        outlets.add(outlet);
        return outlet;
    }

    private void enter(final Upstream upstream, final Inlet inlet)
    {
        final BatchSchema above = upstream.outlet().schema();
        upstream.outlet().add(above.equals(schema) ? inlet :
            new ViewInlet(schema, ColumnMapping.between(above.type(), schema.type()), inlet));
    }

    private void addKindStep(final List<BatchStep> steps, final Upstream upstream)
    {
        if (!definition.relation())
        {
            final boolean fromSender = upstream.from() instanceof BeanStage;
            steps.add(new InsertOnlyStep(fromSender ? meter.rejections() : null, deletionsLeftOut));
        }
    }

    private void addKeyStep(final List<BatchStep> steps)
    {
        if (keys != null)
        {
            steps.add(new PrimaryKeyStep(keys, meter.rejections()));
        }
        else if (definition.relation())
        {
            steps.add(new NoUpdateStep(meter.rejections()));
        }
    }

    private ApplicationTimeStep applicationTime(final boolean ownsTimes)
    {
        return new ApplicationTimeStep(definition.eventType().indexOf(definition.time().timestampProperty()),
            definition.time().totalOrder(), ownsTimes, meter.rejections());
    }

    @Override
    public void start()
    {
        consumers.forEach(Thread::start);
    }

    @Override
    public void pause(final Deadline deadline)
    {
        if (queue != null && !queue.awaitDrained(deadline))
        {
            LOG.warn("queue not empty in time, stage={} rows={}", qualifiedName, queue.rows());
        }
    }

    @Override
    public void resume()
    {
        // Consumers never paused: they wait at the empty queue.
    }

    @Override
    public void stop(final Deadline deadline)
    {
        if (queue == null)
        {
            return;
        }
        final boolean drained = consumers.get(0).getState() == Thread.State.NEW || queue.awaitDrained(deadline);
        final int discarded = queue.close(!drained);
        meter.rejections().count(discarded, RejectReason.STOPPED, "still queued when the time to stop was over", null);
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
        if (definition.relation() && keys != null)
        {
            synchronized (keys)
            {
                figures.put("relationRows", keys.size());
            }
        }
        if (deletionsLeftOut.sum() > 0)
        {
            figures.put("deletionsLeftOut", deletionsLeftOut.sum());
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

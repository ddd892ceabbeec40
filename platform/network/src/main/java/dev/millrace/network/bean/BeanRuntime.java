package dev.millrace.network.bean;

import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.lifecycle.SuspendableBean;
import dev.millrace.api.oep.ApplicationIdentityAware;
import dev.millrace.api.oep.StageIdentityAware;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.stage.StreamSource;
import dev.millrace.network.cache.CacheSink;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.CallMonitor.OpenCall;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.FencedInlet;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.MonitoredInlet;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.SerialInlet;
import dev.millrace.network.lane.SinkInlet;
import dev.millrace.network.lane.SourceLane;
import dev.millrace.network.lane.SourceLanes;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.recording.Playbacks;
import dev.millrace.network.spi.OutputPermit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running adapter or event bean: its senders, its sinks and its life-cycle callbacks. */
public final class BeanRuntime implements StageRuntime
{
    /** A stage has failed, the others are not affected: correct the cause, then resume the application. */
    private static final String FAILED = "EPN-0630";
    private static final Logger LOG = LoggerFactory.getLogger(BeanRuntime.class);

    private final BeanStage definition;
    private final String qualifiedName;
    private volatile Object instance;
    private final StageContext context;
    private final RaisedConditions raised;
    private final StageMeter meter;
    private final SourceLanes lanes;
    private final OutputPermit permit;
    private final ThreadFactory threads;
    private volatile RunThread runThread;
    private List<Outlet> outlets = List.of();
    private boolean touched;
    private boolean hasInputs;
    private boolean started;
    /** Whether it has replaced another object and was never suspended. */
    private boolean renewed;
    /** Why the object that replaced another one does not work; {@code null} when it does. */
    private String unopened;
    private volatile String failure;
    private volatile long failedNs;
    private final List<CallMonitor> watches = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    /** A lane from above and the inlet where it enters. */
    private record Entry(Upstream upstream, Inlet inlet)
    {
    }

    /**
     * Calls no method of the bean yet.
     *
     * @param qualifiedName {@code application/stage}
     * @param context       passed to the bean
     * @param raised        conditions that the bean reports through its context
     * @param lanes         lanes that it sends through; {@code null} when no stage listens to it
     * @param meter         its statistics, shared with the lanes
     * @param permit        checked before rows reach a stage without listeners
     * @param threads       creates the thread of a {@code RunnableBean}
     */
    public BeanRuntime(
        final BeanStage definition,
        final String qualifiedName,
        final StageContext context,
        final RaisedConditions raised,
        final SourceLanes lanes,
        final StageMeter meter,
        final OutputPermit permit,
        final ThreadFactory threads)
    {
        this.definition = definition;
        this.qualifiedName = qualifiedName;
        this.context = context;
        this.raised = raised;
        this.lanes = lanes;
        this.meter = meter;
        this.permit = permit;
        this.threads = threads;
        instance = definition.instance();
        runThread = runThread();
    }

    private RunThread runThread()
    {
        return instance instanceof RunnableBean run ?
            new RunThread(qualifiedName, run, threads, context.clock()) : null;
    }

    @Override
    public BeanStage definition()
    {
        return definition;
    }

    @Override
    public String kind()
    {
        final boolean isCache = instance instanceof CacheSink;
        return definition.connection() != null ? definition.connection().kind() :
            definition.adapter() ? "adapter" : isCache ? "cache" :
            Playbacks.isPlayback(instance) ? "playback" : "event-bean";
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

    /** Returns the lanes that it sends through, or {@code null} when no stage listens to it. */
    public SourceLanes lanes()
    {
        return lanes;
    }

    /** Whether lanes from above enter; false for a source without inputs, and before it is wired. */
    public boolean hasInputs()
    {
        return hasInputs;
    }

    /**
     * Calls the callbacks that precede the first event, and passes the sender to the bean. May be called again after a
     * failure.
     *
     * @throws Exception of a callback
     */
    public void activate() throws Exception
    {
        touched = true;
        if (lanes != null)
        {
            lanes.rewind();
        }
        if (instance instanceof StageContextAware aware)
        {
            aware.setStageContext(context);
        }
        if (instance instanceof ApplicationIdentityAware aware)
        {
            aware.setApplicationIdentity(context.applicationName());
        }
        if (instance instanceof StageIdentityAware aware)
        {
            aware.setStageIdentity(context.stageId());
        }
        if (instance instanceof InitializingBean bean)
        {
            bean.afterPropertiesSet();
        }
        if (lanes != null)
        {
            handOverSender(lanes.open());
        }
        if (instance instanceof ActivatableBean bean)
        {
            bean.afterConfigurationActive();
        }
    }

    /**
     * Closes a paused source, so that another one can use its port; {@link #renew} must be called before it is resumed.
     *
     * @return false when it is no source, accepts events itself, is not paused, was closed before or has nothing to
     *     close
     */
    public boolean release()
    {
        final boolean isReleasable =
            touched && !started && lanes != null && !hasInputs && instance instanceof DisposableBean &&
            definition.connection() == null;
        if (isReleasable)
        {
            destroy();
        }
        return isReleasable;
    }

    /**
     * Replaces the object of a stage that was closed; the new object sends through the same lanes.
     *
     * @param other created in the same way as the previous object
     * @throws Exception of a callback
     */
    public void renew(final Object other) throws Exception
    {
        instance = other;
        runThread = runThread();
        renewed = true;
        try
        {
            activate();
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            unopened = "could not be opened again: " + e;
            failedNs = context.clock().epochNs();
            failure = unopened;
            throw e;
        }
    }

    private void handOverSender(final SourceLane lane)
    {
        if (instance instanceof EventBatchSource source)
        {
            source.setBatchSender(lane);
        }
        else if (instance instanceof RelationSource source)
        {
            source.setEventSender(new ObjectSender(lane, EventCodec.of(lanes.schema(), context.eventTypes())));
        }
        else if (instance instanceof StreamSource source)
        {
            source.setEventSender(new ObjectSender(lane, EventCodec.of(lanes.schema(), context.eventTypes())));
        }
    }

    @Override
    public void wire(final List<Upstream> above)
    {
        if (lanes != null)
        {
            outlets = lanes.seal().stream().map(SourceLane::outlet).toList();
        }
        letIn(above);
        entries.forEach(entry -> entry.upstream().outlet().add(entry.inlet()));
    }

    private void letIn(final List<Upstream> above)
    {
        hasInputs = !above.isEmpty();
        final boolean shared = above.size() > 1 && !(instance instanceof ConcurrentSink);
        final Object monitor = new Object();
        for (final Upstream upstream : above)
        {
            final CallMonitor watch = new CallMonitor();
            watches.add(watch);
            final Inlet inlet = permitted(new MonitoredInlet(openInlet(upstream), watch));
            entries.add(new Entry(upstream, shared ? new SerialInlet(monitor, inlet) : inlet));
        }
    }

    /**
     * Takes over the lanes into a stage that it replaces, instead of {@link #wire}; both use the same lanes down and
     * the same statistics. Called after {@link #activate}, while no row is in transit into or out of either stage.
     *
     * @param before receives no rows from now on
     */
    public void takePlaceOf(final BeanRuntime before)
    {
        outlets = before.outlets;
        renewed = true;
        meter.closeIn();
        letIn(before.entries.stream().map(Entry::upstream).toList());
        for (int i = 0; i < entries.size(); i++)
        {
            entries.get(i).upstream().outlet().replace(before.entries.get(i).inlet(), entries.get(i).inlet());
        }
    }

    /** Receives no rows from now on; called while no row is in transit. */
    public void leave()
    {
        entries.forEach(entry -> entry.upstream().outlet().remove(entry.inlet()));
    }

    /**
     * Ends a stage that was replaced; its lanes down belong to the new stage.
     *
     * @param deadline how long to wait for its thread
     */
    public void retire(final Deadline deadline)
    {
        try
        {
            if (started)
            {
                started = false;
                suspendBean(deadline);
            }
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            LOG.warn("stage did not stop cleanly, stage={}", qualifiedName, e);
        }
        destroy();
    }

    private Inlet permitted(final Inlet inlet)
    {
        // Rows for another application do not leave the instance.
        final boolean stays = lanes != null || definition.connection() != null;
        return stays || permit == OutputPermit.ALWAYS ? inlet : new FencedInlet(permit, inlet, meter);
    }

    private Inlet openInlet(final Upstream upstream)
    {
        if (instance instanceof EventBatchSink sink)
        {
            return new SinkInlet(sink, meter);
        }
        final EventCodec codec = EventCodec.of(upstream.outlet().schema(), context.eventTypes());
        final boolean batching = upstream.from() instanceof ChannelStage channel && channel.batching();
        if (instance instanceof BatchStreamSink sink && (batching || !(instance instanceof StreamSink)))
        {
            return new BatchSinkInlet(sink, codec, meter);
        }
        return new ObjectSinkInlet((StreamSink)instance, codec, meter);
    }

    @Override
    public void start()
    {
        renewed = false;
        if (unopened != null)
        {
            return;
        }
        started = true;
        if (lanes != null)
        {
            lanes.openAll();
        }
        if (runThread != null)
        {
            runThread.start();
        }
    }

    @Override
    public void pause(final Deadline deadline) throws Exception
    {
        try
        {
            suspendBean(deadline);
            started = false;
        }
        catch (final Exception e)
        {
            failedNs = context.clock().epochNs();
            failure = "suspend failed: " + e;
            throw e;
        }
        finally
        {
            closeLanes(RejectReason.SUSPENDED, deadline);
        }
    }

    private void suspendBean(final Deadline deadline) throws Exception
    {
        if (runThread != null)
        {
            runThread.expectEnd();
        }
        if (instance instanceof SuspendableBean bean)
        {
            bean.suspend();
        }
        if (runThread != null && !runThread.awaitEnd(deadline))
        {
            throw new IllegalStateException("run did not return in time after suspend, thread=" + qualifiedName);
        }
    }

    private void closeLanes(final String reason, final Deadline deadline)
    {
        if (lanes != null && !lanes.closeAll(reason, deadline))
        {
            LOG.warn("a batch is still being processed after the time limit, stage={}", qualifiedName);
        }
    }

    @Override
    public boolean hold(final Deadline deadline)
    {
        return lanes == null || lanes.hold(deadline);
    }

    @Override
    public void letGo()
    {
        if (lanes != null)
        {
            lanes.letGo();
        }
    }

    @Override
    public void resume() throws Exception
    {
        try
        {
            if (unopened != null)
            {
                throw new IllegalStateException(unopened);
            }
            if (instance instanceof ResumableBean bean && !renewed)
            {
                bean.beforeResume();
            }
            failure = null;
            start();
        }
        catch (final Exception e)
        {
            failedNs = context.clock().epochNs();
            failure = "resume failed: " + e;
            throw e;
        }
    }

    @Override
    public void stop(final Deadline deadline)
    {
        try
        {
            if (started)
            {
                suspendBean(deadline);
            }
        }
        catch (final Exception e)
        {
            LOG.warn("stage did not stop cleanly, stage={}", qualifiedName, e);
        }
        closeLanes(RejectReason.STOPPED, deadline);
    }

    @Override
    public void destroy()
    {
        if (touched && instance instanceof DisposableBean bean)
        {
            touched = false;
            try
            {
                bean.destroy();
            }
            catch (final Exception | LinkageError | AssertionError e)
            {
                LOG.warn("destroy failed, stage={}", qualifiedName, e);
            }
        }
    }

    @Override
    public String failure()
    {
        return failure != null || runThread == null ? failure : runThread.failure();
    }

    @Override
    public boolean isSource()
    {
        return lanes != null;
    }

    @Override
    public List<Condition> conditions(final long nowNs)
    {
        final List<Condition> all = new ArrayList<>();
        final String why = failure();
        if (why != null)
        {
            all.add(new Condition(definition.id(), FAILED, RaisedConditions.shortened(why),
                failure == null ? runThread.failedNs() : failedNs, 1));
        }
        all.addAll(raised.list());
        all.addAll(meter.rejections().conditions(definition.id(), nowNs));
        return all;
    }

    @Override
    public List<OpenCall> openCalls(final long nowNs)
    {
        return watches.stream().map(watch -> watch.poll(nowNs)).filter(Objects::nonNull).toList();
    }

    @Override
    public void describe(final Map<String, Object> figures)
    {
        if (runThread != null)
        {
            figures.put("run", runThread.state());
        }
        if (failure() != null)
        {
            figures.put("failure", failure());
        }
        if (instance instanceof StatisticsSource source)
        {
            figures.put("own", ownFigures(source));
        }
    }

    private Map<String, Object> ownFigures(final StatisticsSource source)
    {
        try
        {
            return source.statistics();
        }
        catch (final RuntimeException e)
        {
            LOG.warn("statistics failed, stage={}", qualifiedName, e);
            return Map.of("error", e.toString());
        }
    }
}

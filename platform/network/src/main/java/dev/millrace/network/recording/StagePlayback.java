package dev.millrace.network.recording;

import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.lifecycle.SuspendableBean;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.topology.NetworkErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The playback of a stage: a source next to the stage that sends into the same channels, so that it has lanes, a thread
 * and a life cycle like an adapter. Its thread waits for a playback to be started.
 *
 * <p>Thread-safe. Failure: a failure ends the playback and raises a condition.
 */
public final class StagePlayback implements EventBatchSource, RunnableBean, SuspendableBean, ResumableBean,
    StatisticsSource, StageContextAware
{
    /** A playback has ended because of a failure: correct the cause, then start it again. */
    static final String FAILED = "EPN-0641";

    private static final Logger LOG = LoggerFactory.getLogger(StagePlayback.class);

    private final PlaybackSettings configured;
    private final EventStore store;
    private final Clock clock;
    private final List<PlaybackLane> lanes;
    private StageContext context;
    private boolean begun;
    private volatile PlaybackRun run;
    private volatile Thread thread;
    private volatile boolean suspended;

    /** @param lanes the first one sends through the sender of this object */
    StagePlayback(final PlaybackSettings configured, final EventStore store, final Clock clock,
        final List<PlaybackLane> lanes)
    {
        this.configured = configured;
        this.store = store;
        this.clock = clock;
        this.lanes = List.copyOf(lanes);
    }

    /** The configuration of the playback. */
    public PlaybackSettings configured()
    {
        return configured;
    }

    @Override
    public void setStageContext(final StageContext given)
    {
        context = given;
    }

    @Override
    public void setBatchSender(final EventBatchSender sender)
    {
        lanes.get(0).setBatchSender(sender);
    }

    @Override
    public void run()
    {
        thread = Thread.currentThread();
        begin();
        while (!suspended)
        {
            final PlaybackRun next = run;
            if (next == null || !next.isNew())
            {
                LockSupport.park(this);
                continue;
            }
            next.play();
            LOG.info("playback has ended, application={} stage={} figures={}", context.applicationName(),
                configured.stage(), next.figures());
            if (next.failure() != null)
            {
                context.conditions().raise(FAILED, "playback has ended, cause=" + next.failure());
            }
        }
    }

    private synchronized void begin()
    {
        if (configured.automatic() && !begun && run == null)
        {
            run = new PlaybackRun(configured, store, lanes, clock);
        }
        begun = true;
    }

    /**
     * Starts a playback.
     *
     * @param settings what to play
     * @throws DeploymentException if one is being played, or there are no rows that the stage can emit
     */
    public synchronized void start(final PlaybackSettings settings) throws DeploymentException
    {
        if (run != null && run.isActive())
        {
            throw new DeploymentException(NetworkErrorCode.PLAYBACK, SourcePosition.NONE,
                "the stage is already playing back, stage=" + settings.stage() + " state=" +
                    run.figures().get("state") + " dataset=" + run.figures().get("dataset"),
                "stop that playback first");
        }
        if (suspended)
        {
            throw new DeploymentException(NetworkErrorCode.PLAYBACK, SourcePosition.NONE,
                "the application is suspended, stage=" + settings.stage(), "resume it first");
        }
        final PlaybackRun next = new PlaybackRun(settings, store, lanes, clock);
        next.check();
        context.conditions().clear(FAILED);
        LOG.info("playback, application={} stage={} dataset={} period={} speed={} repeat={}",
            context.applicationName(), settings.stage(), settings.dataset(), settings.range(), settings.speed(),
            settings.repeat());
        run = next;
        LockSupport.unpark(thread);
    }

    /**
     * Stops the playback after the batch that is being emitted.
     *
     * @return false if none was being played
     */
    public synchronized boolean stop()
    {
        final PlaybackRun current = run;
        final boolean isActive = current != null && current.isActive();
        if (isActive)
        {
            current.stop();
        }
        context.conditions().clear(FAILED);
        return isActive;
    }

    @Override
    public void suspend()
    {
        suspended = true;
        final PlaybackRun current = run;
        if (current != null && current.isActive())
        {
            current.stop();
        }
        LockSupport.unpark(thread);
    }

    @Override
    public void beforeResume()
    {
        suspended = false;
    }

    @Override
    public Map<String, Object> statistics()
    {
        final PlaybackRun current = run;
        if (current != null)
        {
            return current.figures();
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", "IDLE");
        figures.put("dataset", configured.dataset());
        figures.put("eventTypes", configured.eventTypes());
        return figures;
    }
}

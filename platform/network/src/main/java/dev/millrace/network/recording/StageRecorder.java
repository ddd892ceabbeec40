package dev.millrace.network.recording;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the rows that leave a stage.
 *
 * <p>Threads: started and stopped by one managing thread at a time, while no row is in transit; rows are recorded by
 * the threads that emit them. Failure: recording stops, the stage gets a condition, and the rows that follow are
 * counted; they flow on in any case.
 */
final class StageRecorder implements StageRuntime.OutletWatcher
{
    /** Recording of a stage has stopped because of a failure: correct the cause, then start it again. */
    static final String FAILED = "EPN-0640";
    /** The event store cannot store rows at present: they are buffered; correct the cause before the buffer is full. */
    static final String DELAYED = "EPN-0642";

    private static final Logger LOG = LoggerFactory.getLogger(StageRecorder.class);
    private static final long MILLI_NS = 1_000_000;

    private final String application;
    private final StageRuntime stage;
    private final EventStore store;
    private final Clock clock;
    private final RaisedConditions conditions;
    private final RecordingSettings settings;
    private final TimeRange range;
    private final long startedNs;
    private final Map<Outlet, RecordedGroup> groups = new IdentityHashMap<>();
    private final LongAdder rows = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder missed = new LongAdder();
    /** {@code null} when nothing is recorded. */
    private volatile DatasetWriter writer;
    /** The writer of this recording, also after its end; {@code null} if the dataset was not opened. */
    private volatile DatasetWriter last;
    private volatile String failure;
    /** The problem of the condition that is raised; {@code null} for none. Guarded by this. */
    private String raised;
    private volatile boolean stopped;

    /**
     * @param conditions of the stage's recording
     * @param settings   without a time range, rows are recorded from now on
     */
    StageRecorder(final String application, final StageRuntime stage, final EventStore store, final Clock clock,
        final RaisedConditions conditions, final RecordingSettings settings)
    {
        this.application = application;
        this.stage = stage;
        this.store = store;
        this.clock = clock;
        this.conditions = conditions;
        this.settings = settings;
        range = settings.range() == null ? TimeRange.ALL : settings.range();
        startedNs = clock.epochNs();
    }

    RecordingSettings settings()
    {
        return settings;
    }

    /** Why recording has stopped; {@code null} unless it has failed. */
    String failure()
    {
        return failure;
    }

    /** Why recorded rows are not stored yet; {@code null} unless the store is unavailable. Thread-safe. */
    private String problem()
    {
        final DatasetWriter current = last;
        return current == null ? null : current.problem();
    }

    /** Raises or clears the condition of rows that are not stored yet. Thread-safe. */
    synchronized void refreshConditions()
    {
        final String problem = failure == null && !stopped ? problem() : null;
        if (Objects.equals(problem, raised))
        {
            return;
        }
        raised = problem;
        if (problem != null)
        {
            conditions.raise(DELAYED, "recorded rows are not stored yet, dataset=" + settings.dataset() + " cause=" +
                problem + "; correct the cause: the rows are buffered, and are stored afterwards");
        }
        else
        {
            conditions.clear(DELAYED);
        }
    }

    /** Opens the dataset and begins to receive rows. */
    void start()
    {
        conditions.clear(FAILED);
        try
        {
            last = new DatasetWriter(store, settings.dataset(), application + '/' + stage.definition().id(), clock);
            writer = last;
        }
        catch (final EventStoreException e)
        {
            fail(e.getMessage());
            return;
        }
        stage.watchOutlets(this);
        LOG.info("recording, application={} stage={} dataset={} period={}", application, stage.definition().id(),
            settings.dataset(), range);
    }

    @Override
    public void opened(final Outlet outlet, final List<EventType> eventTypes)
    {
        final List<String> types =
            eventTypes.stream().map(EventType::name).filter(settings::selects).toList();
        final DatasetWriter to = writer;
        if (types.isEmpty() || to == null)
        {
            return;
        }
        final String object = objectProperty(outlet.schema().type());
        if (object != null)
        {
            fail("a property of type object cannot be recorded, query=" + outlet.queryId() + " property=" + object);
            return;
        }
        try
        {
            final RecordedGroup group = to.open(this::record, new GroupName(types, outlet.queryId()), outlet.schema());
            groups.put(outlet, group);
            outlet.addFirst(group);
        }
        catch (final EventStoreException e)
        {
            fail(e.getMessage());
        }
    }

    /** The first property whose values have no form in records; {@code null} for none. */
    static String objectProperty(final EventType type)
    {
        return type.properties().stream().filter(property -> property.type() == CqlType.OBJECT)
            .map(EventProperty::name).findFirst().orElse(null);
    }

    @Override
    public void closed(final Outlet outlet)
    {
        groups.remove(outlet);
    }

    /** Records a batch; called by the thread that emits it. */
    void record(final RecordedGroup group, final EventBatch batch)
    {
        final DatasetWriter to = writer;
        if (to == null)
        {
            if (failure != null)
            {
                missed.add(batch.size());
            }
            return;
        }
        final long nowNs = clock.epochNs();
        if (!range.contains(nowNs))
        {
            if (nowNs >= range.endNs())
            {
                end();
            }
            return;
        }
        try
        {
            group.encode(batch);
            final int length = to.append(group);
            if (length > 0)
            {
                rows.add(batch.size());
                batches.increment();
                bytes.add(length);
            }
        }
        // The rows must flow on whatever happens: an error of a mapped file is not an exception.
        catch (final Throwable e)
        {
            missed.add(batch.size());
            fail(e instanceof EventStoreException known ? known.getMessage() : e.toString());
        }
    }

    private void fail(final String cause)
    {
        failure = cause;
        conditions.raise(FAILED, "recording has stopped, dataset=" + settings.dataset() + " cause=" + cause +
            "; events flow on and are not recorded; correct the cause, then start recording again");
        end();
    }

    private synchronized void end()
    {
        final DatasetWriter open = writer;
        writer = null;
        if (open != null)
        {
            try
            {
                open.close();
            }
            catch (final EventStoreException e)
            {
                LOG.warn("the dataset was not closed cleanly, application={} stage={} dataset={} reason={}",
                    application, stage.definition().id(), settings.dataset(), e.getMessage());
            }
            LOG.info("recording has ended, application={} stage={} dataset={} rows={}", application,
                stage.definition().id(), settings.dataset(), rows.sum());
        }
    }

    /** Ends recording and receives no more rows. */
    void stop()
    {
        stage.watchOutlets(null);
        groups.forEach(Outlet::remove);
        groups.clear();
        close();
        conditions.clear(FAILED);
        conditions.clear(DELAYED);
    }

    /** Ends recording; called when no row can arrive any more. */
    void close()
    {
        stopped = true;
        end();
    }

    /**
     * {@code WAITING} until its time range begins; then {@code RECORDING}, until it is {@code ENDED}, {@code STOPPED}
     * or {@code FAILED}.
     */
    private String state()
    {
        final long nowNs = clock.epochNs();
        return stopped ? "STOPPED" : failure != null ? "FAILED" : nowNs >= range.endNs() ? "ENDED" :
            nowNs < range.startNs() ? "WAITING" : "RECORDING";
    }

    /** State and figures. Thread-safe. */
    Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", state());
        figures.put("dataset", settings.dataset());
        figures.put("eventTypes", settings.eventTypes());
        figures.put("period", settings.range() == null ? null : settings.range().toString());
        figures.put("started", TimeRange.text(startedNs / MILLI_NS * MILLI_NS));
        final long lost = last == null ? 0 : last.lostRows();
        figures.put("rows", rows.sum() - lost);
        figures.put("batches", batches.sum());
        figures.put("bytes", bytes.sum());
        figures.put("rowsNotRecorded", missed.sum() + lost);
        figures.put("problem", problem());
        figures.put("failure", failure);
        return figures;
    }
}

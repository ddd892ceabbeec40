package dev.millrace.network.recording;

import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.TimeRange;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.spi.DatasetSummary;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.EventStoreException;
import dev.millrace.network.topology.NetworkErrorCode;
import java.nio.BufferUnderflowException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * One playback of a dataset, from its start to its end. Played by one thread; any thread may stop it and read its
 * figures.
 */
final class PlaybackRun
{
    private static final long MAX_PARK_NS = 10_000_000;
    private static final long NONE = Long.MIN_VALUE;

    /** The state of a playback. */
    enum State
    {
        /** Its schedule has not begun. */
        SCHEDULED,
        /** Rows are emitted. */
        PLAYING,
        /** All rows were emitted, or the end of the schedule has come. */
        FINISHED,
        /** It was stopped. */
        STOPPED,
        /** A failure has ended it. */
        FAILED
    }

    private final PlaybackSettings settings;
    private final EventStore store;
    private final List<PlaybackLane> lanes;
    private final Clock clock;
    private final TimeRange range;
    private final TimeRange schedule;
    private volatile boolean stopping;
    private volatile State state = State.SCHEDULED;
    private volatile Thread thread;
    private volatile long startedNs = NONE;
    private volatile long recordedNs = NONE;
    private volatile long rows;
    private volatile long batches;
    private volatile int passes;
    private volatile String failure;

    /** A pass over the dataset. */
    private final class Pass implements AutoCloseable
    {
        private final DatasetReader reader;
        /** Rows that are recorded from now on are not played: there might be no end. */
        private final long endNs = clock.epochNs();
        private final Map<Integer, List<PlaybackLane>> takers = new HashMap<>();
        private long oldestNs = NONE;
        private long newestNs = NONE;

        Pass() throws DeploymentException
        {
            if (!store.datasets().contains(settings.dataset()))
            {
                throw refused("no such dataset", "datasets of the event store: " +
                    String.join(", ", store.datasets()));
            }
            reader = new DatasetReader(store.openReader(settings.dataset(), range));
        }

        /**
         * Goes to the next rows that are to be played.
         *
         * @return false without rows
         * @throws DeploymentException if the stage cannot emit rows of a selected type
         */
        boolean next() throws DeploymentException
        {
            while (!stopping && reader.next())
            {
                if (reader.isDescription())
                {
                    takers.put(reader.number(), takers(reader.group()));
                    continue;
                }
                final long time = reader.recordedNs();
                oldestNs = oldestNs == NONE ? time : oldestNs;
                newestNs = time;
                if (time >= endNs)
                {
                    return false;
                }
                if (range.contains(time) && !takers.get(reader.number()).isEmpty())
                {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void close()
        {
            reader.close();
        }
    }

    PlaybackRun(final PlaybackSettings settings, final EventStore store, final List<PlaybackLane> lanes,
        final Clock clock)
    {
        this.settings = settings;
        this.store = store;
        this.lanes = lanes;
        this.clock = clock;
        range = settings.range() == null ? TimeRange.ALL : settings.range();
        schedule = settings.schedule() == null ? TimeRange.ALL : settings.schedule();
    }

    private DeploymentException refused(final String text, final String hint)
    {
        return new DeploymentException(NetworkErrorCode.PLAYBACK, settings.position(),
            text + ", stage=" + settings.stage() + " dataset=" + settings.dataset(), hint);
    }

    private List<PlaybackLane> takers(final GroupDescription group) throws DeploymentException
    {
        final GroupName name = GroupName.parse(group.name());
        if (name.types().stream().noneMatch(settings::selects))
        {
            return List.of();
        }
        final List<PlaybackLane> found = lanes.stream()
            .filter(lane -> lane.takes(name) && settings.selects(lane.type().name())).toList();
        if (found.isEmpty())
        {
            throw refused("the dataset has rows that the stage cannot emit, type=" + String.join(",", name.types()) +
                (name.query() == null ? "" : " query=" + name.query()) + " types of the stage=" +
                String.join(",", lanes.stream().map(lane -> lane.type().name()).distinct().toList()),
                "select other types in event-type-list, or play the dataset back at another stage");
        }
        for (final PlaybackLane lane : found)
        {
            final String difference = lane.difference(group, name.query() != null);
            if (difference != null)
            {
                throw refused("the event type has changed since the rows were recorded, type=" + lane.type().name() +
                    difference, "play back into the version of the application that recorded them, or record again");
            }
        }
        return found;
    }

    /**
     * Checks that there are rows to play and that the stage can emit the first of them.
     *
     * @throws DeploymentException if not
     */
    void check() throws DeploymentException
    {
        try (Pass pass = new Pass())
        {
            if (!pass.next())
            {
                throw nothing(pass);
            }
        }
        catch (final EventStoreException e)
        {
            throw unreadable(e);
        }
    }

    private DeploymentException nothing(final Pass pass)
    {
        return refused("the dataset has no rows to play back, period=" + range + " types=" +
            (settings.eventTypes().isEmpty() ? "all" : String.join(",", settings.eventTypes())) + " recorded=" +
            recorded(pass), "select another period or other types");
    }

    private static boolean isOfJournal(final RuntimeException e)
    {
        return !(e instanceof EventStoreException known) || known.code().startsWith("JNL-");
    }

    /** The period of the rows of the dataset, of which the store may have skipped those that were not selected. */
    private String recorded(final Pass pass)
    {
        if (pass.oldestNs != NONE)
        {
            return TimeRange.text(pass.oldestNs) + " to " + TimeRange.text(pass.newestNs);
        }
        final DatasetSummary all = store.summary(settings.dataset());
        return all.firstNs() == NONE ? "nothing" : TimeRange.text(all.firstNs()) + " to " +
            (all.lastNs() == NONE ? "later" : TimeRange.text(all.lastNs()));
    }

    private DeploymentException unreadable(final RuntimeException e)
    {
        return refused("the dataset cannot be read, reason=" + e.getMessage(), !isOfJournal(e) ?
            "start the playback again when the cause is corrected" : "millrace journal verify dataset:" +
            settings.dataset() + " finds damaged records; journal repair keeps the records before them");
    }

    boolean isNew()
    {
        return state == State.SCHEDULED && thread == null;
    }

    boolean isActive()
    {
        return state == State.SCHEDULED || state == State.PLAYING;
    }

    /** Why it has ended; {@code null} unless it has failed. */
    String failure()
    {
        return failure;
    }

    /** Plays the rows; returns at the end. */
    void play()
    {
        thread = Thread.currentThread();
        try
        {
            if (waitUntil(schedule.startNs()))
            {
                startedNs = clock.epochNs();
                state = State.PLAYING;
                boolean hasMore = true;
                while (hasMore)
                {
                    hasMore = pass() && settings.repeat();
                }
            }
            state = stopping ? State.STOPPED : State.FINISHED;
        }
        catch (final DeploymentException e)
        {
            failure = e.problems().get(0).text() + "; " + e.problems().get(0).hint();
            state = State.FAILED;
        }
        finally
        {
            lanes.forEach(PlaybackLane::clear);
        }
    }

    /** Plays all rows once; false when it was stopped or the schedule has ended. */
    private boolean pass() throws DeploymentException
    {
        try (Pass pass = new Pass())
        {
            final long passNs = clock.epochNs();
            long firstNs = NONE;
            while (pass.next())
            {
                final long time = pass.reader.recordedNs();
                firstNs = firstNs == NONE ? time : firstNs;
                if (!waitUntil(passNs + (long)(Math.max(0, time - firstNs) / settings.speed())))
                {
                    return false;
                }
                emit(pass);
            }
            if (firstNs == NONE && !stopping)
            {
                throw nothing(pass);
            }
            passes++;
            return !stopping;
        }
        catch (final EventStoreException | IllegalArgumentException | BufferUnderflowException e)
        {
            throw unreadable(e);
        }
    }

    private void emit(final Pass pass)
    {
        final var batch = pass.reader.rows();
        final int size = batch.size();
        for (final PlaybackLane lane : pass.takers.get(pass.reader.number()))
        {
            lane.send(pass.reader.number(), batch, clock.epochNs());
        }
        recordedNs = pass.reader.recordedNs();
        rows += size;
        batches++;
    }

    /** Waits for a time; false if it was stopped before, or the schedule has ended. */
    private boolean waitUntil(final long timeNs)
    {
        while (!stopping)
        {
            final long nowNs = clock.epochNs();
            if (nowNs >= schedule.endNs())
            {
                return false;
            }
            if (nowNs >= timeNs)
            {
                return true;
            }
            LockSupport.parkNanos(this, Math.min(timeNs - nowNs, MAX_PARK_NS));
        }
        return false;
    }

    /** Stops it after the batch that is being emitted. */
    void stop()
    {
        stopping = true;
        if (thread == null)
        {
            state = State.STOPPED;
        }
        else
        {
            LockSupport.unpark(thread);
        }
    }

    /** State and figures. */
    Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", state.name());
        figures.put("dataset", settings.dataset());
        figures.put("eventTypes", settings.eventTypes());
        figures.put("period", settings.range() == null ? null : settings.range().toString());
        figures.put("schedule", settings.schedule() == null ? null : settings.schedule().toString());
        figures.put("speed", settings.speed());
        figures.put("repeat", settings.repeat());
        figures.put("started", startedNs == NONE ? null : TimeRange.text(startedNs));
        figures.put("rows", rows);
        figures.put("batches", batches);
        figures.put("passes", passes);
        figures.put("position", recordedNs == NONE ? null : TimeRange.text(recordedNs));
        figures.put("failure", failure);
        return figures;
    }
}

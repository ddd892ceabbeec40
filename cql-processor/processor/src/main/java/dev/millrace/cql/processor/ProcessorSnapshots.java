package dev.millrace.cql.processor;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.RuleChange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the snapshots of a durable processor. Small state is copied while the processor pauses; as soon as that took
 * longer than the configured pause, a {@link Standby} provides the state.
 *
 * <p>Threads: used by the thread that writes snapshots and, after its end, by the thread that stops the processor; a
 * thread that changes rules waits for a snapshot in progress. Any thread reads the statistics.
 */
final class ProcessorSnapshots
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A unit without batches writes no mark and has nothing new. */
    private static final long MARK_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorSnapshots.class);

    private final ProcessorWiring wiring;
    private final RunningUnits running;
    private final DurableUnits durable;
    private final Standby.Opener opener;
    private final MemoryAccount memory;
    /** Held while a snapshot is written or, for writing, while rules are changed. */
    private final ReadWriteLock rules = new ReentrantReadWriteLock();
    private Standby standby;
    private volatile boolean isStopped;
    /** A change of the rules waits for the end of a snapshot. */
    private volatile boolean isChanging;
    private volatile Figures figures = new Figures(0, 0, 0, 0, 0, false);

    /** The values of {@link #statistics()}. */
    private record Figures(
        long written, long pauseNs, long maxPauseNs, long durationNs, long bytes, boolean usesStandby)
    {
    }

    ProcessorSnapshots(final ProcessorWiring wiring, final RunningUnits running, final DurableUnits durable,
        final Standby.Opener opener)
    {
        this.wiring = wiring;
        this.running = running;
        this.durable = durable;
        this.opener = opener;
        memory = wiring.openMemory("", "second copy for snapshots");
    }

    /**
     * Writes a snapshot of each unit with new rows.
     *
     * @param timeoutNs how long to wait until rows inside the processor are emitted, and until they are stored by
     *                  stages that store the numbers of rows: rows before a snapshot are not emitted again
     * @return false when that took too long: nothing was written, call again
     */
    boolean write(final long timeoutNs)
    {
        rules.readLock().lock();
        try
        {
            return writeNow(timeoutNs);
        }
        finally
        {
            rules.readLock().unlock();
        }
    }

    private boolean writeNow(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        final boolean isLong = standby != null || figures.pauseNs > wiring.storage().settings().maxPauseNs();
        List<CapturedState> states = null;
        if (isLong || durable.isWaitingForSpace())
        {
            states = catchUp(startNs + timeoutNs);
        }
        if (states == null)
        {
            states = pause(timeoutNs);
        }
        return states != null && store(states, startNs, startNs + timeoutNs);
    }

    /**
     * Changes the rules, while no snapshot is written; afterwards another standby follows the new rules.
     *
     * @throws DeploymentException of the change
     */
    RuleChange change(final RuleReplacement replacement) throws DeploymentException
    {
        isChanging = true;
        rules.writeLock().lock();
        try
        {
            isChanging = false;
            closeStandby();
            return replacement.run();
        }
        finally
        {
            rules.writeLock().unlock();
        }
    }

    /** Ends a replay in progress soon; thread-safe. */
    void stop()
    {
        isStopped = true;
    }

    /** Writes the last snapshot; no row is in the processor. */
    boolean writeLast(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        closeStandby();
        return store(captureAll(), startNs, startNs + timeoutNs);
    }

    private List<CapturedState> captureAll()
    {
        running.forEachInput((channel, sent) -> durable.received().raise(channel, sent, durable.received()));
        return durable.states().capture(running.state().units());
    }

    /** Returns {@code null} if rows remained in the processor. */
    private List<CapturedState> pause(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        if (!running.pause(timeoutNs))
        {
            return null;
        }
        try
        {
            return captureAll();
        }
        finally
        {
            running.resume();
            final long pauseNs = System.nanoTime() - startNs;
            final Figures now = figures;
            figures = new Figures(now.written, pauseNs, Math.max(pauseNs, now.maxPauseNs), now.durationNs, now.bytes,
                now.usesStandby);
        }
    }

    /** Returns {@code null} if there can be no standby now. */
    private List<CapturedState> catchUp(final long deadlineNs)
    {
        if (!openStandby())
        {
            return null;
        }
        durable.positions().requestMarks();
        final Map<String, SequenceMarks> sent = running.sent();
        final boolean isDrained = running.drain(deadlineNs - System.nanoTime());
        final long nowNs = System.nanoTime();
        await(durable.positions()::hasMarks, nowNs + Math.min(MARK_TIMEOUT_NS, deadlineNs - nowNs));
        final Map<String, Long> until = durable.positions().marks();
        if (isDrained)
        {
            // All that was sent by then is in the journals.
            sent.forEach((channel, marks) -> standby.received().raise(channel, marks, durable.received()));
        }
        return standby.catchUp(until, durable.positions().stored(), () -> isStopped || isChanging);
    }

    private boolean openStandby()
    {
        final long needed = standby == null ?
            running.state().units().stream().mapToLong(ExecutionUnit::memoryBytes).sum() : standby.memoryBytes();
        final long missing = needed - memory.bytes();
        if (missing > 0 && !memory.reserve(missing))
        {
            LOG.warn("the memory has no room for a second copy of the state, so snapshots pause the processor, " +
                "processor={} bytes={}", wiring.qualifiedName(), needed);
            closeStandby();
            return false;
        }
        if (missing < 0)
        {
            memory.release(-missing);
        }
        try
        {
            standby = standby == null ? opener.open(running.state().rules()) : standby;
            return true;
        }
        catch (final DeploymentException failure)
        {
            LOG.error("snapshots pause the processor, because a second copy of it cannot be created, processor={}",
                wiring.qualifiedName(), failure);
            return false;
        }
    }

    private void closeStandby()
    {
        if (standby != null)
        {
            standby.close();
            standby = null;
        }
        memory.release(memory.bytes());
    }

    private boolean store(final List<CapturedState> states, final long startNs, final long deadlineNs)
    {
        if (!await(() -> durable.states().isOutputStored(states), deadlineNs))
        {
            return false;
        }
        durable.states().store(states);
        if (states.isEmpty() && durable.isWaitingForSpace())
        {
            durable.states().deleteOldRecords();
        }
        if (!states.isEmpty())
        {
            final Figures now = figures;
            figures = new Figures(now.written + 1, now.pauseNs, now.maxPauseNs, System.nanoTime() - startNs,
                states.stream().mapToLong(CapturedState::sizeBytes).sum(), standby != null);
        }
        return true;
    }

    private boolean await(final BooleanSupplier condition, final long deadlineNs)
    {
        while (!condition.getAsBoolean())
        {
            if (deadlineNs - System.nanoTime() <= 0)
            {
                return false;
            }
            LockSupport.parkNanos(this, POLL_NS);
        }
        return true;
    }

    /** Releases the second copy and its memory. */
    void close()
    {
        closeStandby();
        memory.close();
    }

    /**
     * The current statistics.
     *
     * @return {@code written}; {@code pauseUs} and {@code maxPauseUs} of the processor; {@code durationMs} and {@code
     *     bytes} of the last one; {@code usesStandby}: whether a second copy provides the state
     */
    Map<String, Object> statistics()
    {
        final Figures now = figures;
        final Map<String, Object> all = new LinkedHashMap<>();
        all.put("written", now.written);
        all.put("pauseUs", TimeUnit.NANOSECONDS.toMicros(now.pauseNs));
        all.put("maxPauseUs", TimeUnit.NANOSECONDS.toMicros(now.maxPauseNs));
        all.put("durationMs", TimeUnit.NANOSECONDS.toMillis(now.durationNs));
        all.put("bytes", now.bytes);
        all.put("usesStandby", now.usesStandby);
        return all;
    }
}

package dev.millrace.server.warmup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs trials sequentially on a low-priority thread until they are complete, the time limit is reached, or they are
 * cancelled. Thread-safe.
 *
 * <p>Failure: a failed trial is logged and ends the warm-up without further effect; the first deployment then takes
 * longer, or reports the cause.
 */
public final class WarmUp
{
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** No trial begins after this time, because a machine that slow is busy with other work. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<List<Trial>> source;

    private final long limitNs;

    private final Thread thread = new Thread(this::run, "millrace-warm-up");

    private volatile boolean cancelled;

    private List<Trial> trials = List.of();

    private State state = State.PENDING;

    private int done;

    private long tookNs;

    /** Work that loads classes. */
    @FunctionalInterface
    public interface Trial
    {
        /** Runs the trial; it must leave nothing behind except loaded classes. */
        void run() throws Exception;
    }

    /** The state of a warm-up. */
    public enum State
    {
        /** Not started. */
        PENDING,
        /** Trials are running. */
        RUNNING,
        /** All trials have completed. */
        DONE,
        /** The time limit was reached before the last trial. */
        CUT_SHORT,
        /** The server stopped before the last trial. */
        CANCELLED,
        /** A trial failed; the log contains the reason. */
        FAILED,
        /** Disabled in config.xml, or no trials. */
        OFF
    }

    /** @param source supplies the trials, in order, when the warm-up begins */
    public WarmUp(final Supplier<List<Trial>> source)
    {
        this(source, LIMIT_NS);
    }

    WarmUp(final Supplier<List<Trial>> source, final long limitNs)
    {
        this.source = source;
        this.limitNs = limitNs;
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
    }

    /** Starts the warm-up. Has no effect without trials, after a cancellation, or when called again. */
    public synchronized void begin()
    {
        if (state != State.PENDING)
        {
            return;
        }
        trials = List.copyOf(source.get());
        if (trials.isEmpty())
        {
            state = State.OFF;
            return;
        }
        state = State.RUNNING;
        thread.start();
    }

    /**
     * Prevents further trials and waits for the running one.
     *
     * @param waitNs maximum wait
     * @return whether no trial is running
     */
    public boolean cancel(final long waitNs) throws InterruptedException
    {
        cancelled = true;
        synchronized (this)
        {
            if (state == State.PENDING)
            {
                state = State.CANCELLED;
            }
        }
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs)));
        return !thread.isAlive();
    }

    /**
     * Returns the progress.
     *
     * @return {@code state}, {@code trials} (completed), {@code millis} (total so far)
     */
    public synchronized Map<String, Object> describe()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("state", state.name());
        figures.put("trials", done);
        figures.put("millis", TimeUnit.NANOSECONDS.toMillis(tookNs));
        return figures;
    }

    private void run()
    {
        final long startNs = System.nanoTime();
        for (final Trial trial : trials)
        {
            if (cancelled || System.nanoTime() - startNs > limitNs)
            {
                end(cancelled ? State.CANCELLED : State.CUT_SHORT);
                return;
            }
            try
            {
                trial.run();
            }
            // A failure here must not stop the server.
            catch (final Exception | LinkageError | StackOverflowError | AssertionError failure)
            {
                failed(failure);
                return;
            }
            made(startNs);
        }
        end(State.DONE);
    }

    private synchronized void made(final long startNs)
    {
        done++;
        tookNs = System.nanoTime() - startNs;
    }

    private void failed(final Throwable failure)
    {
        if (cancelled)
        {
            // Bundles that stop during a trial remove what it depends on.
            end(State.CANCELLED);
            return;
        }
        end(State.FAILED);
        LOG.warn("SRV-0119: class warm-up failed; the first deployment takes longer, or reports the cause", failure);
    }

    private synchronized void end(final State last)
    {
        state = last;
        if (last != State.FAILED)
        {
            LOG.info("class warm-up {}, trials {} of {}, {} ms", last, done, trials.size(),
                TimeUnit.NANOSECONDS.toMillis(tookNs));
        }
    }
}

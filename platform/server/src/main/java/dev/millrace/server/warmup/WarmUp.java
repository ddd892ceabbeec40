package dev.millrace.server.warmup;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs trials one after the other on a thread of low priority, for a bounded time, until they are done or cancelled.
 * Safe for all threads.
 *
 * <p>Failure: a trial that fails is logged, ends the warm-up and harms nobody; the first deployment takes longer then,
 * or reports the cause.
 */
public final class WarmUp
{
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** No trial begins after this time: a machine that is so slow has other work to do. */
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private final Supplier<List<Trial>> source;

    private final long limitNs;

    private final Thread thread = new Thread(this::run, "millrace-warm-up");

    private volatile boolean cancelled;

    private List<Trial> trials = List.of();

    private State state = State.PENDING;

    private int done;

    private long tookNs;

    /** Something that makes classes load. */
    @FunctionalInterface
    public interface Trial
    {
        /**
         * Does it and leaves nothing behind but loaded classes.
         *
         * @throws Exception when it fails
         */
        void run() throws Exception;
    }

    /** Where a warm-up stands. */
    public enum State
    {
        /** Not begun. */
        PENDING,
        /** Trials run. */
        RUNNING,
        /** All trials were made. */
        DONE,
        /** The time was over before the last trial. */
        CUT_SHORT,
        /** The server stopped before the last trial. */
        CANCELLED,
        /** A trial failed; the log says why. */
        FAILED,
        /** Switched off in config.xml, or nothing to warm up. */
        OFF
    }

    /**
     * Makes a warm-up.
     *
     * @param source gives the trials, in order, when the warm-up begins
     */
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

    /** Begins; nothing happens without trials, when it was cancelled, or when it was begun before. */
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
     * Lets no further trial begin and waits for the one that runs.
     *
     * @param waitNs how long at most
     * @return whether nothing runs any more
     * @throws InterruptedException when interrupted
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
     * Where it stands.
     *
     * @return {@code state}, {@code trials} (made), {@code millis} (so far all trials together)
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
            // Nothing that goes wrong here may take the server down with it.
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
            // Bundles that stop beside a trial take away what it stands on.
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

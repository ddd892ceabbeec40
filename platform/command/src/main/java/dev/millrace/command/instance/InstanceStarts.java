package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Starts instances in the background, a few at a time, and watches each until it runs. One that fails or takes too
 * long is ended. Until {@link #release} all that were started are ended by closing this.
 *
 * <p>Threads: one steps; another one may close it.
 */
public final class InstanceStarts implements AutoCloseable
{
    private static final double NS_PER_SECOND = 1e9;

    private final Queue<Domain> waiting;
    private final List<Start> starting = new ArrayList<>();
    private final Deque<InstanceProcess> started = new ArrayDeque<>();
    private final int atOnce;
    private final long timeoutMs;
    private boolean isClosed;

    /** What became of a start. */
    public interface Listener
    {
        /**
         * An instance runs.
         *
         * @param domain  its domain
         * @param pid     its process
         * @param seconds how long it took
         */
        void running(Domain domain, long pid, double seconds);

        /**
         * An instance does not run, and no process of it is left.
         *
         * @param domain its domain
         * @param reason why
         */
        void failed(Domain domain, CommandException reason);
    }

    private record Start(InstanceProcess process, long startNs)
    {
        long ageNs()
        {
            return System.nanoTime() - startNs;
        }
    }

    /**
     * Plans starts.
     *
     * @param domains   what to start
     * @param atOnce    how many may be starting at a time
     * @param timeoutMs how long one may take
     */
    public InstanceStarts(final List<Domain> domains, final int atOnce, final long timeoutMs)
    {
        this.waiting = new ArrayDeque<>(domains);
        this.atOnce = atOnce;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Starts what may start now and looks after what is starting; does not wait.
     *
     * @param listener told of what has ended
     * @return whether something is left to do
     * @throws IOException          when a script cannot be run
     * @throws InterruptedException when interrupted
     */
    public boolean step(final Listener listener) throws IOException, InterruptedException
    {
        while (starting.size() < atOnce && !waiting.isEmpty())
        {
            starting.add(new Start(open(waiting.remove()), System.nanoTime()));
        }
        for (final Start start : List.copyOf(starting))
        {
            if (isOver(start, listener))
            {
                starting.remove(start);
            }
        }
        return !starting.isEmpty() || !waiting.isEmpty();
    }

    private synchronized InstanceProcess open(final Domain domain) throws IOException
    {
        if (isClosed)
        {
            throw new IllegalStateException("closed");
        }
        final InstanceProcess process = InstanceProcess.startInBackground(domain);
        started.push(process);
        return process;
    }

    private boolean isOver(final Start start, final Listener listener) throws IOException, InterruptedException
    {
        final InstanceProcess process = start.process();
        try
        {
            if (process.poll())
            {
                listener.running(process.domain(), process.process().pid(), start.ageNs() / NS_PER_SECOND);
                return true;
            }
            if (start.ageNs() > TimeUnit.MILLISECONDS.toNanos(timeoutMs))
            {
                throw process.tooLate(timeoutMs);
            }
            return false;
        }
        catch (final CommandException e)
        {
            process.close();
            listener.failed(process.domain(), e);
            return true;
        }
    }

    /**
     * How many are starting at this moment.
     *
     * @return number
     */
    public int starting()
    {
        return starting.size();
    }

    /** Lets all that run go on when this is closed. */
    public synchronized void release()
    {
        started.clear();
    }

    @Override
    public synchronized void close()
    {
        isClosed = true;
        // All at a time: each takes a moment to end.
        started.forEach(process -> process.process().destroy());
        started.forEach(InstanceProcess::close);
        started.clear();
    }
}

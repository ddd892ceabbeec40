package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Starts instances in the background, a limited number at a time, and monitors each until it runs. An instance that
 * fails or exceeds the time limit is ended. Closing ends all started instances, unless {@link #release} was called.
 *
 * <p>Threads: a single thread calls {@link #step}; another one may close.
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

    /** Receives the results of starts. */
    public interface Listener
    {
        /**
         * @param pid     its process id
         * @param seconds duration of the start
         */
        void running(Domain domain, long pid, double seconds);

        /** Called when an instance does not run; its process has ended. */
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
     * @param domains   domains to start
     * @param atOnce    maximum number of concurrent starts
     * @param timeoutMs limit for each start
     */
    public InstanceStarts(final List<Domain> domains, final int atOnce, final long timeoutMs)
    {
        this.waiting = new ArrayDeque<>(domains);
        this.atOnce = atOnce;
        this.timeoutMs = timeoutMs;
    }

    /**
     * Starts further instances and checks those that are starting; does not wait.
     *
     * @param listener receives the results
     * @return whether instances remain to be started or checked
     * @throws IOException          when a script cannot be executed
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

    /** Returns the number of instances that are starting. */
    public int starting()
    {
        return starting.size();
    }

    /** Lets all started instances continue to run when this is closed. */
    public synchronized void release()
    {
        started.clear();
    }

    @Override
    public synchronized void close()
    {
        isClosed = true;
        // All at the same time, because each takes a moment to end.
        started.forEach(process -> process.process().destroy());
        started.forEach(InstanceProcess::close);
        started.clear();
    }
}

package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One change at a time for each application; changes of others go on meanwhile. A change that would have to wait long
 * is refused, so that no request waits without an answer. Safe for all threads.
 */
final class ChangeLocks
{
    /** How long a change waits for the one before it. */
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(10);

    private final long busyNs;

    private final Map<String, Lock> held = new HashMap<>();

    ChangeLocks()
    {
        this(BUSY_NS);
    }

    /** With another limit. */
    ChangeLocks(final long busyNs)
    {
        this.busyNs = busyNs;
    }

    /** A change that is being made; released by the thread that took it. */
    final class Lock
    {
        private final String application;

        private final String change;

        private final long sinceNs = System.nanoTime();

        private final Thread thread = Thread.currentThread();

        private int depth = 1;

        private Lock(final String application, final String change)
        {
            this.application = application;
            this.change = change;
        }

        void release()
        {
            synchronized (ChangeLocks.this)
            {
                depth--;
                if (depth == 0)
                {
                    held.remove(application);
                    ChangeLocks.this.notifyAll();
                }
            }
        }
    }

    /**
     * Takes an application for a change.
     *
     * @param application name
     * @param change      for the message to others
     * @return to be released when the change is made
     * @throws DeploymentException when another change is being made all the time
     */
    synchronized Lock take(final String application, final String change) throws DeploymentException
    {
        final long deadlineNs = System.nanoTime() + busyNs;
        Lock other = held.get(application);
        while (other != null && other.thread != Thread.currentThread())
        {
            final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0)
            {
                throw Deployed.refuse("SRV-0232", application, "another change of it is being made, change="
                    + other.change + " sinceSeconds="
                    + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - other.sinceNs),
                    "try again when it is done; nothing was changed");
            }
            try
            {
                wait(leftMs);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                throw Deployed.refuse("SRV-0233", application, "interrupted behind another change of it, change="
                    + other.change, "try again");
            }
            other = held.get(application);
        }
        if (other != null)
        {
            other.depth++;
            return other;
        }
        final Lock mine = new Lock(application, change);
        held.put(application, mine);
        return mine;
    }
}

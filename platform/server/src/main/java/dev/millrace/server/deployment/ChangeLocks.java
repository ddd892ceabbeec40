package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One lock per application: changes of one application are serialized, changes of different applications run in
 * parallel. A change that would wait too long is refused, so that every request gets a response. Thread-safe.
 */
final class ChangeLocks
{
    /** Maximum time a change waits for the previous one. */
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(10);

    private final long busyNs;

    private final Map<String, Lock> held = new HashMap<>();

    ChangeLocks()
    {
        this(BUSY_NS);
    }

    /** Creates locks with another limit. */
    ChangeLocks(final long busyNs)
    {
        this.busyNs = busyNs;
    }

    /** The lock that a change holds; released by the thread that acquired it. Reentrant. */
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
     * Acquires the lock of an application.
     *
     * @param change name of the change, for the message to others
     * @return the lock, to be released when the change is complete
     * @throws DeploymentException when another change holds the lock until the limit
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
                throw DeploymentRegistry.refuse("SRV-0232", application, "another change of it is in progress, change="
                    + other.change + " sinceSeconds="
                    + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - other.sinceNs),
                    "try again when it is complete; nothing was changed");
            }
            try
            {
                wait(leftMs);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                throw DeploymentRegistry.refuse("SRV-0233", application,
                    "interrupted while waiting for another change of it, change="
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

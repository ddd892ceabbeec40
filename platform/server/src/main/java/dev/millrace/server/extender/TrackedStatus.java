package dev.millrace.server.extender;

import java.util.concurrent.TimeUnit;

/** The status of an application, which others wait for. Safe for all threads. */
final class TrackedStatus
{
    /** Refused while its thread hangs in code of the application; guarded by this. */
    private boolean abandoned;

    private ApplicationStatus status = ApplicationStatus.of(ApplicationState.STARTING);

    synchronized ApplicationStatus get()
    {
        return status;
    }

    /** Sets the next status; false when the application was abandoned, whose status does not change any more. */
    synchronized boolean set(final ApplicationStatus next)
    {
        if (!abandoned)
        {
            status = next;
            notifyAll();
        }
        return !abandoned;
    }

    /** Sets the last status of an application that hangs in its start; false when it does not start. */
    synchronized boolean abandon(final ApplicationStatus last)
    {
        if (!isStarting())
        {
            return false;
        }
        set(last);
        abandoned = true;
        return true;
    }

    synchronized boolean isAbandoned()
    {
        return abandoned;
    }

    /** Whether it starts, or waits for something before it goes on to start. */
    synchronized boolean isStarting()
    {
        return status.state() == ApplicationState.STARTING || status.state() == ApplicationState.WAITING;
    }

    /** Waits while the application starts, not longer than a time. */
    synchronized void awaitSettled(final long timeoutNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (isStarting())
        {
            final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0)
            {
                return;
            }
            wait(leftMs);
        }
    }
}

package dev.millrace.server.extender;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** The status of an application; other threads can wait for it. Thread-safe. */
final class TrackedStatus
{
    /** Whether the application was rejected while its thread hangs in its code; guarded by this. */
    private boolean abandoned;

    /** Whether it waits for another application, without a limit; guarded by this. */
    private boolean heldUp;

    private ApplicationStatus status = ApplicationStatus.of(ApplicationState.STARTING);

    synchronized ApplicationStatus get()
    {
        return status;
    }

    /** Sets the next status; false when the application was abandoned and its status is final. */
    synchronized boolean set(final ApplicationStatus next)
    {
        if (!abandoned)
        {
            status = next;
            heldUp = false;
            notifyAll();
        }
        return !abandoned;
    }

    /** Sets that it waits for another application, which may never be installed. */
    synchronized void heldUp(final List<String> waitingFor)
    {
        heldUp = set(ApplicationStatus.waiting(waitingFor));
        notifyAll();
    }

    /** Sets that it starts, if it still waits for another application. */
    synchronized void released()
    {
        if (heldUp)
        {
            set(ApplicationStatus.of(ApplicationState.STARTING));
        }
    }

    /** Sets the final status of an application whose start hangs; false when it is not starting. */
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

    /** Whether it is starting, or waits for something before it can start. */
    synchronized boolean isStarting()
    {
        return status.state() == ApplicationState.STARTING || status.state() == ApplicationState.WAITING;
    }

    /** Waits while the application starts, up to the timeout; not for another application. */
    synchronized void awaitSettled(final long timeoutNs) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (isStarting() && !heldUp)
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

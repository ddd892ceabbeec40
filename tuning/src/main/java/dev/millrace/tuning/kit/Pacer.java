package dev.millrace.tuning.kit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The pace of one client: sends due events at once, then sleeps briefly. A delayed client catches up, with the times at
 * which the events were due. Confined to one thread, except for {@link #stop}.
 */
final class Pacer
{
    private static final long SLEEP_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long OVERTIME_NS = TimeUnit.SECONDS.toNanos(2);

    private final Rate rate;
    private final int most;
    private volatile boolean isStopped;
    private volatile long sent;

    /** Sends events. */
    @FunctionalInterface
    interface Sender
    {
        /**
         * Sends some.
         *
         * @param dueNs when each of them was due, by the monotonic clock of this process
         * @param count number of events
         */
        void send(long[] dueNs, int count) throws IOException;
    }

    /**
     * @param rate of each client
     * @param most maximum number of events at a time
     */
    Pacer(final Rate rate, final int most)
    {
        this.rate = rate;
        this.most = most;
    }

    /**
     * Sends until the time has elapsed or {@link #stop} is called.
     *
     * @param lengthNs duration
     * @param sender   sends
     */
    void run(final long lengthNs, final Sender sender) throws IOException
    {
        final long startNs = System.nanoTime();
        final long[] dueNs = new long[most];
        final long lastDue = rate.dueAt(lengthNs);
        while (!isStopped)
        {
            final long nowNs = System.nanoTime();
            if (nowNs - startNs >= lengthNs)
            {
                // Events due before the end are sent, unless the receiver is too far behind.
                if (rate.eventsPerSec() == 0 || sent >= lastDue || nowNs - startNs >= lengthNs + OVERTIME_NS)
                {
                    return;
                }
            }
            final int count = (int)Math.min(most, Math.min(rate.dueAt(nowNs - startNs), lastDue) - sent);
            if (count <= 0)
            {
                LockSupport.parkNanos(SLEEP_NS);
                continue;
            }
            for (int i = 0; i < count; i++)
            {
                dueNs[i] = rate.eventsPerSec() == 0 ? nowNs : startNs + rate.dueNs(sent + i + 1);
            }
            sender.send(dueNs, count);
            sent = sent + count;
        }
    }

    /** Makes {@link #run} return soon. */
    void stop()
    {
        isStopped = true;
    }

    /** Events sent so far. */
    long sent()
    {
        return sent;
    }
}

package dev.millrace.command.scaling;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A thread that does nothing but wake up each millisecond and note how late it was: what the machine itself adds to
 * every latency. Started and stopped by one thread.
 */
final class HiccupProbe implements AutoCloseable
{
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(MAX_NS, SIGNIFICANT_DIGITS);
    private final Thread thread = new Thread(this::probe, "millrace-hiccup-probe");
    private volatile boolean ended;

    HiccupProbe()
    {
        thread.setDaemon(true);
        thread.start();
    }

    /** How late it was since the last call, nanoseconds; a pause counts once for each time it should have woken up. */
    Histogram take()
    {
        return recorder.getIntervalHistogram();
    }

    private void probe()
    {
        long dueNs = System.nanoTime() + PERIOD_NS;
        while (!ended)
        {
            final long waitNs = dueNs - System.nanoTime();
            if (waitNs > 0)
            {
                LockSupport.parkNanos(waitNs);
            }
            final long nowNs = System.nanoTime();
            while (nowNs >= dueNs)
            {
                recorder.recordValue(Math.min(MAX_NS, nowNs - dueNs));
                dueNs += PERIOD_NS;
            }
        }
    }

    @Override
    public void close()
    {
        ended = true;
        LockSupport.unpark(thread);
    }
}

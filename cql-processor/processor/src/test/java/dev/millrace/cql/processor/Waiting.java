package dev.millrace.cql.processor;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
public final class Waiting
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(10);

    private Waiting()
    {
    }

    public static void until(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }
}

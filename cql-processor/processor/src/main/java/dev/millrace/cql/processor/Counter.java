package dev.millrace.cql.processor;

import java.util.concurrent.atomic.AtomicLong;

/** A counter with one writer thread and any number of readers; an update costs a plain store. */
final class Counter
{
    private final AtomicLong value = new AtomicLong();

    /** Increases the counter; called only by the owning thread. */
    void add(final long delta)
    {
        value.setRelease(value.getPlain() + delta);
    }

    /** The current value; all writes of the owner before the update are visible. */
    long get()
    {
        return value.getAcquire();
    }
}

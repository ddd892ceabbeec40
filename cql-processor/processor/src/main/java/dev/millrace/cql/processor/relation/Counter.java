package dev.millrace.cql.processor.relation;

import java.util.concurrent.atomic.AtomicLong;

/** A counter with one writer thread and any number of readers; an update costs a plain store. */
public final class Counter
{
    private final AtomicLong value = new AtomicLong();

    /** Increases the counter; called only by the owning thread. */
    public void add(final long delta)
    {
        value.setRelease(value.getPlain() + delta);
    }

    /** The current value; all writes of the owner before the update are visible. */
    public long get()
    {
        return value.getAcquire();
    }
}

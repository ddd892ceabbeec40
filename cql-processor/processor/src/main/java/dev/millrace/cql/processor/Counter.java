package dev.millrace.cql.processor;

import java.util.concurrent.atomic.AtomicLong;

/** A figure that one thread advances and all may read; costs an ordinary store. */
final class Counter
{
    private final AtomicLong value = new AtomicLong();

    /**
     * Advances; called by the owning thread only.
     *
     * @param delta how far
     */
    void add(final long delta)
    {
        value.setRelease(value.getPlain() + delta);
    }

    /**
     * The figure now.
     *
     * @return value; whatever the owner wrote before it advanced is visible
     */
    long get()
    {
        return value.getAcquire();
    }
}

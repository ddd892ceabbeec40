package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/**
 * Finds the largest step in which a structure grows, by the bytes that a single call allocates: a call that copies a
 * table allocates the copy first. A part that is doubled and copied takes twice the bytes of the copied part.
 */
public final class Growth
{
    /** A call may copy at most one part in this number. */
    private static final int PART = 256;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private Growth()
    {
    }

    /** The largest number of bytes that one of the later half of the calls allocated, relative to all bytes. */
    public static double largestPart(final int calls, final IntConsumer call)
    {
        final long thread = Thread.currentThread().getId();
        final long begin = THREADS.getThreadAllocatedBytes(thread);
        long before = begin;
        long largest = 0;
        for (int i = 0; i < calls; i++)
        {
            call.accept(i);
            final long now = THREADS.getThreadAllocatedBytes(thread);
            largest = i < calls / 2 ? 0 : Math.max(largest, now - before);
            before = now;
        }
        return largest == 0 ? 0 : (double)largest / (before - begin);
    }

    /** Bytes that a call allocates. */
    static long allocatedBytes(final Runnable call)
    {
        final long thread = Thread.currentThread().getId();
        final long before = THREADS.getThreadAllocatedBytes(thread);
        call.run();
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }

    /** Grows a structure by one call for each of its parts, and measures each. */
    public static void check(final String name, final int calls, final IntConsumer call)
    {
        final double part = largestPart(calls, call);
        System.out.printf("%s: largest step 1/%.0f%n", name, 1 / part);
        assertThat(part).as("largest step of %s", name).isLessThan(2.0 / PART);
    }
}

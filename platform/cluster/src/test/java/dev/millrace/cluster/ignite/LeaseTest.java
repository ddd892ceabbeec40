package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lease whose clock jumps, as in a process that was paused. */
@Timeout(60)
class LeaseTest
{
    private static final long LENGTH_NS = TimeUnit.MILLISECONDS.toNanos(200);

    @Test
    void shouldEndAtOnceWhenTheProcessWasSilentForTooLong() throws Exception
    {
        final AtomicLong clockNs = new AtomicLong(Long.MAX_VALUE - LENGTH_NS / 2);
        final CountDownLatch mayRenew = new CountDownLatch(1);
        final Semaphore ends = new Semaphore(0);
        try (Lease lease = new Lease("one", LENGTH_NS, clockNs::get, () ->
        {
            ends.release();
            await(mayRenew);
        }))
        {
            assertThat(lease.holds()).isTrue();
            clockNs.addAndGet(LENGTH_NS);
            assertThat(lease.holds()).isFalse();
            assertThat(ends.tryAcquire(60, TimeUnit.SECONDS)).as("notified").isTrue();
            assertThat(lease.holds()).as("during the notification").isFalse();

            mayRenew.countDown();
            while (!lease.holds())
            {
                Thread.onSpinWait();
            }
            clockNs.addAndGet(2 * LENGTH_NS);
            assertThat(ends.tryAcquire(60, TimeUnit.SECONDS)).as("notified again").isTrue();
        }
    }

    /** The pause begins after the lease has read the clock. */
    @Test
    void shouldEndWhenTheProcessIsPausedDuringARenewal() throws Exception
    {
        final AtomicLong clockNs = new AtomicLong();
        final AtomicBoolean isPausedAfterwards = new AtomicBoolean();
        final Semaphore ends = new Semaphore(0);
        try (Lease lease = new Lease("one", LENGTH_NS, () ->
        {
            final long read = clockNs.get();
            if (isPausedAfterwards.compareAndSet(true, false))
            {
                clockNs.addAndGet(2 * LENGTH_NS);
            }
            return read;
        }, ends::release))
        {
            isPausedAfterwards.set(true);
            assertThat(ends.tryAcquire(60, TimeUnit.SECONDS)).as("notified").isTrue();
            while (!lease.holds())
            {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldGoOnWhenPausesAreShort() throws Exception
    {
        final AtomicLong clockNs = new AtomicLong();
        final Semaphore ends = new Semaphore(0);
        try (Lease lease = new Lease("one", LENGTH_NS, clockNs::get, ends::release))
        {
            clockNs.addAndGet(LENGTH_NS - 1);
            assertThat(lease.holds()).isTrue();
        }
        assertThat(ends.availablePermits()).isZero();
    }

    private static void await(final CountDownLatch latch)
    {
        try
        {
            latch.await(60, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}

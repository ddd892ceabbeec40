package dev.millrace.network.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits for a claim parks, interrupted or not. */
@Timeout(60)
class LaneLockTest
{
    private final LaneLock claim = new LaneLock();

    @Test
    void shouldRestAndKeepTheInterruptWhenAnInterruptedThreadWaits() throws Exception
    {
        claim.open();
        assertThat(claim.enter()).isTrue();
        final AtomicBoolean entered = new AtomicBoolean();
        final AtomicBoolean interruptedAfter = new AtomicBoolean();
        final CountDownLatch begun = new CountDownLatch(1);
        final Thread waiter = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            begun.countDown();
            entered.set(claim.enter());
            interruptedAfter.set(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        begun.await();
        // A thread whose interrupt is pending cannot park: it would spin.
        final long deadlineNs = System.nanoTime() + 60_000_000_000L;
        while (waiter.isInterrupted() && System.nanoTime() < deadlineNs)
        {
            Thread.onSpinWait();
        }
        final boolean couldRest = !waiter.isInterrupted();
        assertThat(entered).isFalse();
        claim.leave();
        waiter.join();

        assertThat(couldRest).isTrue();
        assertThat(entered).isTrue();
        assertThat(interruptedAfter).isTrue();
    }
}

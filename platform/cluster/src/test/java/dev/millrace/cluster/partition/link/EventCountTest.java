package dev.millrace.cluster.partition.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.partition.PartitionMember;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for changes. */
@Timeout(60)
class EventCountTest
{
    private static final long PAUSE_MS = 200;

    private final EventCount signal = new EventCount();

    private static long msSince(final long startNs)
    {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @Test
    void shouldPauseAThreadThatIsInterrupted()
    {
        Thread.currentThread().interrupt();
        final long startNs = System.nanoTime();
        signal.await(signal.count(), PAUSE_MS);
        assertThat(Thread.interrupted()).as("it is interrupted as before").isTrue();
        assertThat(msSince(startNs)).isGreaterThanOrEqualTo(PAUSE_MS - 1);
    }

    @Test
    void shouldGoOnWaitingWhenItIsInterruptedMeanwhile() throws Exception
    {
        final AtomicBoolean isInterrupted = new AtomicBoolean();
        final Thread waiting = new Thread(() ->
        {
            signal.await(0, TimeUnit.MINUTES.toMillis(1));
            isInterrupted.set(Thread.interrupted());
        });
        waiting.start();
        PartitionMember.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        waiting.join(PAUSE_MS);
        assertThat(waiting.isAlive()).as("nothing has changed").isTrue();
        signal.raise();
        waiting.join();
        assertThat(isInterrupted).isTrue();
    }

    @Test
    void shouldNotWaitForAChangeThatHasCome()
    {
        final long seen = signal.count();
        signal.raise();
        signal.await(seen, TimeUnit.MINUTES.toMillis(1));
        assertThat(signal.count()).isEqualTo(seen + 1);
    }
}

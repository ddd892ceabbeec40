package dev.millrace.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.warmup.WarmUp.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WarmUpTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    private final List<String> made = new ArrayList<>();

    private static Map<String, Object> ended(final WarmUp warmUp) throws InterruptedException
    {
        // The thread has ended, so that nothing remains to be cancelled.
        while ("RUNNING".equals(warmUp.describe().get("state")))
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return warmUp.describe();
    }

    @Test
    void shouldMakeAllTrialsInOrderOnAThreadOfLowPriorityWhenBegun() throws Exception
    {
        final List<Thread> threads = new ArrayList<>();
        final WarmUp warmUp = new WarmUp(() -> List.of(() -> made.add("one"), () ->
        {
            made.add("two");
            threads.add(Thread.currentThread());
        }));
        assertThat(warmUp.describe()).containsEntry("state", "PENDING").containsEntry("trials", 0);
        warmUp.begin();
        warmUp.begin();

        assertThat(ended(warmUp)).containsEntry("state", "DONE").containsEntry("trials", 2);
        assertThat(made).containsExactly("one", "two");
        assertThat(threads.get(0).isDaemon()).isTrue();
        assertThat(threads.get(0).getPriority()).isEqualTo(Thread.MIN_PRIORITY);
    }

    @Test
    void shouldDoNothingWhenThereAreNoTrialsOrItWasCancelledBefore() throws Exception
    {
        final WarmUp off = new WarmUp(List::of);
        off.begin();
        assertThat(off.describe()).containsEntry("state", "OFF");

        final WarmUp cancelled = new WarmUp(() -> List.of(() -> made.add("never")));
        assertThat(cancelled.cancel(LONG_NS)).isTrue();
        cancelled.begin();
        assertThat(cancelled.describe()).containsEntry("state", "CANCELLED");
        assertThat(made).isEmpty();
    }

    @Test
    void shouldMakeNoFurtherTrialWhenCancelledWhileOneRuns() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final WarmUp warmUp = new WarmUp(() -> List.of(held(begun, go), () -> made.add("never")));
        warmUp.begin();
        begun.await();
        assertThat(warmUp.cancel(1)).as("a trial is not torn off").isFalse();
        assertThat(warmUp.describe()).containsEntry("state", "RUNNING");
        go.countDown();

        assertThat(warmUp.cancel(LONG_NS)).isTrue();
        assertThat(warmUp.describe()).containsEntry("state", "CANCELLED").containsEntry("trials", 1);
        assertThat(made).isEmpty();
    }

    private static Trial held(final CountDownLatch begun, final CountDownLatch go)
    {
        return () ->
        {
            begun.countDown();
            go.await();
        };
    }

    @Test
    void shouldEndWithoutHarmWhenATrialFailsOrIsCutOffByTheStop() throws Exception
    {
        final WarmUp failing = new WarmUp(() -> List.of(() ->
        {
            throw new NoClassDefFoundError("gone");
        }, () -> made.add("never")));
        failing.begin();
        assertThat(ended(failing)).containsEntry("state", "FAILED").containsEntry("trials", 0);

        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final WarmUp stopped = new WarmUp(() -> List.of(() ->
        {
            held(begun, go).run();
            throw new IllegalStateException("the bundle was stopped");
        }));
        stopped.begin();
        begun.await();
        stopped.cancel(1);
        go.countDown();
        assertThat(stopped.cancel(LONG_NS)).isTrue();
        assertThat(stopped.describe()).containsEntry("state", "CANCELLED");
        assertThat(made).isEmpty();
    }

    @Test
    void shouldBeginNoTrialWhenTheTimeIsOver() throws Exception
    {
        final WarmUp warmUp = new WarmUp(() -> List.of(() -> made.add("never")), -1);
        warmUp.begin();

        assertThat(ended(warmUp)).containsEntry("state", "CUT_SHORT").containsEntry("trials", 0);
        assertThat(made).isEmpty();
    }
}

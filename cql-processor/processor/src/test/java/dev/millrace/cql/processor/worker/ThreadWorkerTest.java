package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.processor.Waiting;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker with its own thread, whose small batches are run by the sources. */
@Timeout(60)
class ThreadWorkerTest
{
    private static final int ROWS = 300_000;
    private static final int MANY = 10_000;
    private static final long END_NS = TimeUnit.SECONDS.toNanos(60);

    private final ThreadWorker worker = new ThreadWorker("worker", Thread::new);
    private final WorkerHarness harness = new WorkerHarness(worker);
    private final WorkerHarness.Listener listener = harness.listener;

    @AfterEach
    void stop()
    {
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + END_NS)).isTrue();
        assertThat(harness.rejected).hasValue(0);
        assertThat(listener.faults).hasValue(0);
    }

    /** Sends rows until the expected thread runs them; returns how many. */
    private int until(final WorkerInput input, final int from, final int count, final boolean isSource)
    {
        int sent = from;
        do
        {
            final int expected = sent + count;
            input.send(WorkerHarness.rows(0, sent, count));
            Waiting.until("rows are run", () -> listener.rows == expected && !listener.isBusy.get());
            sent = expected;
        }
        while (listener.last == Thread.currentThread() != isSource && sent - from < MANY * count);
        assertThat(listener.last == Thread.currentThread()).isEqualTo(isSource);
        return sent;
    }

    @Test
    void shouldRunSmallBatchesOnTheThreadOfTheSourceAndHandLongOnesOver()
    {
        worker.start();
        final WorkerInput input = harness.open();
        input.send(WorkerHarness.rows(0, 0, 1));
        Waiting.until("the first row is run", () -> listener.rows == 1);
        assertThat(listener.last).as("the first row has no measurement").isNotSameAs(Thread.currentThread());
        int sent = until(input, 1, 1, true);
        listener.busyNs = 100_000;
        sent = until(input, sent, 1, false);
        listener.busyNs = 0;
        until(input, sent, 1, true);
    }

    @Test
    void shouldGiveSelectedRowsAndTimesToTheSameThread()
    {
        worker.start();
        final WorkerInput input = harness.open();
        final int sent = until(input, 0, 3, true);
        input.send(WorkerHarness.rows(0, sent - 1, 4), new int[] {1, 2, 3}, 3);
        assertThat(listener.last).isSameAs(Thread.currentThread());
        assertThat(listener.rows).isEqualTo(sent + 3);
        int times = 0;
        do
        {
            listener.last = null;
            input.sendTime(times++);
            Waiting.until("the time is sent", () -> input.done() == input.taken());
        }
        while (listener.last != Thread.currentThread() && times < MANY);
        assertThat(listener.last).isSameAs(Thread.currentThread());
        assertThat(input.done()).isEqualTo(input.taken());
    }

    @Test
    void shouldRunAllRowsOfEachSourceInOrderOnOneThreadAtATime() throws Exception
    {
        worker.start();
        final List<WorkerInput> inputs = harness.sendFromAll(ROWS);
        Waiting.until("all rows are run", () -> inputs.stream().allMatch(each -> each.done() == each.taken()));
        assertThat(listener.rows).isEqualTo(WorkerHarness.SOURCES * ROWS);
        assertThat(inputs).allMatch(WorkerInput::isEmpty);
    }
}

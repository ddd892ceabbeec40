package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of sources that act as the worker in turn. */
@Timeout(60)
class CallerRunsWorkerTest
{
    private static final int ROWS = 40_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final CallerRunsWorker worker = new CallerRunsWorker();
    private final WorkerHarness harness = new WorkerHarness(worker);
    private final WorkerHarness.Listener listener = harness.listener;

    @Test
    void shouldRunAllRowsOfEachSourceInOrderOnOneThreadAtATime() throws Exception
    {
        final List<WorkerInput> inputs = harness.sendFromAll(ROWS);
        // Nobody comes any more: what was sent has been run by those who have come.
        assertThat(listener.next).containsOnly(ROWS);
        assertThat(listener.faults).hasValue(0);
        assertThat(inputs).allMatch(input -> input.done() == input.taken() && input.isEmpty());
        assertThat(inputs.stream().mapToLong(WorkerInput::rows).sum()).isEqualTo((long)WorkerHarness.SOURCES * ROWS);
        assertThat(harness.rejected).hasValue(0);
    }

    @Test
    void shouldRunSmallBatchesThatWaitAsOneAndNeedNoRingForTheOthers() throws Exception
    {
        final WorkerInput first = harness.open();
        final WorkerInput second = harness.open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = WorkerHarness.started(() -> first.send(WorkerHarness.rows(0, 0, 3)));
        listener.entered.await();
        for (int i = 0; i < 50; i++)
        {
            second.send(WorkerHarness.rows(1, 2 * i, 2));
        }
        assertThat(second.waitingRows()).isEqualTo(100);
        listener.gate.countDown();
        busy.join();
        second.send(WorkerHarness.rows(1, 100, 1));
        assertThat(listener.sizes).containsExactly(3, 100, 1);
        assertThat(first.waitingRows()).isZero();
        assertThat(listener.faults).hasValue(0);
    }

    @Test
    void shouldRejectRowsAfterTheStopAndThoseThatWaitWhenASourceIsHeldUp() throws Exception
    {
        final WorkerInput first = harness.open();
        final WorkerInput second = harness.open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = WorkerHarness.started(() -> first.send(WorkerHarness.rows(0, 0, 3)));
        listener.entered.await();
        second.send(WorkerHarness.rows(1, 0, 2));
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + SECOND_NS / 100)).isFalse();
        listener.gate.countDown();
        busy.join();
        second.send(WorkerHarness.rows(1, 2, 4));
        assertThat(harness.rejected).hasValue(6);
        assertThat(listener.sizes).containsExactly(3);
        assertThat(first.done()).isEqualTo(first.taken());
        assertThat(second.done()).isEqualTo(second.taken());
    }

    @Test
    void shouldRunWhatWaitsBeforeItEnds() throws Exception
    {
        final WorkerInput first = harness.open();
        final WorkerInput second = harness.open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = WorkerHarness.started(() -> first.send(WorkerHarness.rows(0, 0, 3)));
        listener.entered.await();
        second.send(WorkerHarness.rows(1, 0, 2));
        listener.gate.countDown();
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + 10 * SECOND_NS)).isTrue();
        busy.join();
        first.send(WorkerHarness.rows(0, 3, 1));
        assertThat(harness.rejected).hasValue(1);
        assertThat(listener.sizes).containsExactlyInAnyOrder(3, 2);
    }
}

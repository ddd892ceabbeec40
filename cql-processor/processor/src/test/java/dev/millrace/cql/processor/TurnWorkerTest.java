package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of sources that are the worker in turns. */
@Timeout(60)
class TurnWorkerTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("source", CqlType.INT), new EventProperty("v", CqlType.INT)));
    private static final int SOURCES = 4;
    private static final int ROWS = 40_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final TurnWorker worker = new TurnWorker();
    private final AtomicInteger rejected = new AtomicInteger();
    private final Listener listener = new Listener();

    /** Sees whether two threads come at once, and rows of a source in another order. */
    private static final class Listener extends Pipeline
    {
        private final AtomicBoolean isBusy = new AtomicBoolean();
        private final int[] next = new int[SOURCES];
        private final List<Integer> sizes = new ArrayList<>();
        private final AtomicInteger faults = new AtomicInteger();
        private volatile CountDownLatch entered = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);

        Listener()
        {
            super(new PipelineBindings(SCHEMA, Map.of(), Map.of(), Map.of(), (rows, reason, detail) ->
            {
                throw new AssertionError(reason);
            }), new String[0], new String[0]);
        }

        @Override
        public void onBatch(final EventBatch batch)
        {
            faults.addAndGet(isBusy.getAndSet(true) ? 1 : 0);
            entered.countDown();
            try
            {
                gate.await();
            }
            catch (final InterruptedException interrupted)
            {
                throw new IllegalStateException(interrupted);
            }
            for (int row = 0; row < batch.size(); row++)
            {
                faults.addAndGet(batch.ints(1)[row] == next[batch.ints(0)[row]]++ ? 0 : 1);
            }
            sizes.add(batch.size());
            isBusy.set(false);
        }

        @Override
        public void onRows(final EventBatch batch, final int[] rows, final int count)
        {
            throw new UnsupportedOperationException();
        }
    }

    private WorkerInput open()
    {
        final WorkerInput input = new WorkerInput(SCHEMA, column -> true, new PipelineInstance[]{
            new PipelineInstance("test", listener, List.of(), (rows, reason, detail) -> rejected.addAndGet(rows))},
            worker, (rows, reason, detail) -> rejected.addAndGet(rows), false, MemoryAccount.NONE);
        worker.add(input);
        return input;
    }

    private static EventBatch rows(final int source, final int from, final int count)
    {
        final EventBatch batch = new EventBatch(SCHEMA);
        for (int i = 0; i < count; i++)
        {
            batch.ints(0)[i] = source;
            batch.ints(1)[i] = from + i;
        }
        batch.size(count);
        return batch;
    }

    private static Thread started(final Runnable run)
    {
        final Thread thread = new Thread(run);
        thread.start();
        return thread;
    }

    @Test
    void shouldRunAllRowsOfEachSourceInOrderOnOneThreadAtATime() throws Exception
    {
        final List<WorkerInput> inputs = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        for (int source = 0; source < SOURCES; source++)
        {
            final WorkerInput input = open();
            inputs.add(input);
            final int own = source;
            threads.add(started(() ->
            {
                final Random random = new Random(own);
                for (int sent = 0; sent < ROWS;)
                {
                    final int count = Math.min(ROWS - sent, 1 + random.nextInt(own == 0 ? 256 : 9));
                    input.send(rows(own, sent, count));
                    sent += count;
                }
            }));
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        // Nobody comes any more: what was sent has been run by those who have come.
        assertThat(listener.next).containsOnly(ROWS);
        assertThat(listener.faults).hasValue(0);
        assertThat(inputs).allMatch(input -> input.done() == input.taken() && input.isEmpty());
        assertThat(inputs.stream().mapToLong(WorkerInput::rows).sum()).isEqualTo((long)SOURCES * ROWS);
        assertThat(rejected).hasValue(0);
    }

    @Test
    void shouldRunSmallBatchesThatWaitAsOneAndNeedNoRingForTheOthers() throws Exception
    {
        final WorkerInput first = open();
        final WorkerInput second = open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = started(() -> first.send(rows(0, 0, 3)));
        listener.entered.await();
        for (int i = 0; i < 50; i++)
        {
            second.send(rows(1, 2 * i, 2));
        }
        assertThat(second.waitingRows()).isEqualTo(100);
        listener.gate.countDown();
        busy.join();
        second.send(rows(1, 100, 1));
        assertThat(listener.sizes).containsExactly(3, 100, 1);
        assertThat(first.waitingRows()).isZero();
        assertThat(listener.faults).hasValue(0);
    }

    @Test
    void shouldRejectRowsAfterTheStopAndThoseThatWaitWhenASourceIsHeldUp() throws Exception
    {
        final WorkerInput first = open();
        final WorkerInput second = open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = started(() -> first.send(rows(0, 0, 3)));
        listener.entered.await();
        second.send(rows(1, 0, 2));
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + SECOND_NS / 100)).isFalse();
        listener.gate.countDown();
        busy.join();
        second.send(rows(1, 2, 4));
        assertThat(rejected).hasValue(6);
        assertThat(listener.sizes).containsExactly(3);
        assertThat(first.done()).isEqualTo(first.taken());
        assertThat(second.done()).isEqualTo(second.taken());
    }

    @Test
    void shouldRunWhatWaitsBeforeItEnds() throws Exception
    {
        final WorkerInput first = open();
        final WorkerInput second = open();
        listener.gate = new CountDownLatch(1);
        final Thread busy = started(() -> first.send(rows(0, 0, 3)));
        listener.entered.await();
        second.send(rows(1, 0, 2));
        listener.gate.countDown();
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + 10 * SECOND_NS)).isTrue();
        busy.join();
        first.send(rows(0, 3, 1));
        assertThat(rejected).hasValue(1);
        assertThat(listener.sizes).containsExactlyInAnyOrder(3, 2);
    }
}

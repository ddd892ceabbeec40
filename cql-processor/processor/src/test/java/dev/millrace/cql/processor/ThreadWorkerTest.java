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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker with a thread of its own, whose small batches are run by the sources. */
@Timeout(60)
class ThreadWorkerTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("source", CqlType.INT), new EventProperty("v", CqlType.INT)));
    private static final int SOURCES = 3;
    private static final int ROWS = 300_000;
    private static final int MANY = 10_000;
    private static final long END_NS = TimeUnit.SECONDS.toNanos(20);

    private final ThreadWorker worker = new ThreadWorker("worker", Thread::new);
    private final AtomicInteger rejected = new AtomicInteger();
    private final Listener listener = new Listener();

    /** Sees rows of a source in another order, two threads at once, and on whose thread it was called last. */
    private static final class Listener extends Pipeline
    {
        private final int[] next = new int[SOURCES];
        private volatile Thread inside;
        private volatile Thread last;
        private volatile long busyNs;
        private volatile int rows;
        private volatile int faults;

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
            begin();
            for (int row = 0; row < batch.size(); row++)
            {
                row(batch, row);
            }
            end();
        }

        @Override
        public void onRows(final EventBatch batch, final int[] some, final int count)
        {
            begin();
            for (int i = 0; i < count; i++)
            {
                row(batch, some[i]);
            }
            end();
        }

        private void begin()
        {
            faults += inside == null ? 0 : 1;
            inside = Thread.currentThread();
            last = inside;
        }

        private void row(final EventBatch batch, final int row)
        {
            final int source = batch.ints(0)[row];
            faults += batch.ints(1)[row] == next[source] ? 0 : 1;
            next[source] = batch.ints(1)[row] + 1;
            rows++;
        }

        private void end()
        {
            final long endNs = System.nanoTime() + busyNs;
            while (busyNs > 0 && System.nanoTime() - endNs < 0)
            {
                Thread.onSpinWait();
            }
            inside = null;
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

    @AfterEach
    void stop()
    {
        worker.stop();
        assertThat(worker.awaitEnd(System.nanoTime() + END_NS)).isTrue();
        assertThat(rejected).hasValue(0);
        assertThat(listener.faults).isZero();
    }

    /** Sends rows until they are run by a thread; how many. */
    private int until(final WorkerInput input, final int from, final int count, final boolean isSource)
    {
        int sent = from;
        do
        {
            final int expected = sent + count;
            input.send(rows(0, sent, count));
            Waiting.until("rows are run", () -> listener.rows == expected && listener.inside == null);
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
        final WorkerInput input = open();
        input.send(rows(0, 0, 1));
        Waiting.until("the first row is run", () -> listener.rows == 1);
        assertThat(listener.last).as("nothing is known of the first row").isNotSameAs(Thread.currentThread());
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
        final WorkerInput input = open();
        final int sent = until(input, 0, 3, true);
        input.send(rows(0, sent - 1, 4), new int[] {1, 2, 3}, 3);
        assertThat(listener.last).isSameAs(Thread.currentThread());
        assertThat(listener.rows).isEqualTo(sent + 3);
        int times = 0;
        do
        {
            listener.last = null;
            input.sendTime(times++);
            Waiting.until("time is told", () -> input.done() == input.taken());
        }
        while (listener.last != Thread.currentThread() && times < MANY);
        assertThat(listener.last).isSameAs(Thread.currentThread());
        assertThat(input.done()).isEqualTo(input.taken());
    }

    @Test
    void shouldRunAllRowsOfEachSourceInOrderOnOneThreadAtATime() throws Exception
    {
        worker.start();
        final List<WorkerInput> inputs = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        for (int source = 0; source < SOURCES; source++)
        {
            final WorkerInput input = open();
            inputs.add(input);
            final int own = source;
            threads.add(new Thread(() ->
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
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        Waiting.until("all rows are run", () -> inputs.stream().allMatch(each -> each.done() == each.taken()));
        assertThat(listener.rows).isEqualTo(SOURCES * ROWS);
        assertThat(inputs).allMatch(WorkerInput::isEmpty);
    }
}

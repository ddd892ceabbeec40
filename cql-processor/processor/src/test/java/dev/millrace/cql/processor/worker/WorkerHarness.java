package dev.millrace.cql.processor.worker;

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Sources of a worker, and a pipeline that sees in which order and by which threads their rows are run. */
final class WorkerHarness
{
    static final int SOURCES = 4;
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("source", CqlType.INT), new EventProperty("v", CqlType.INT)));

    final AtomicInteger rejected = new AtomicInteger();
    final Listener listener = new Listener();
    private final Worker worker;

    WorkerHarness(final Worker worker)
    {
        this.worker = worker;
    }

    /** Sees rows of a source in another order, two threads at once, and on whose thread it was called last. */
    static final class Listener extends Pipeline
    {
        final int[] next = new int[SOURCES];
        final List<Integer> sizes = new ArrayList<>();
        final AtomicInteger faults = new AtomicInteger();
        final AtomicBoolean isBusy = new AtomicBoolean();
        final CountDownLatch entered = new CountDownLatch(1);
        /** Holds calls up. */
        volatile CountDownLatch gate = new CountDownLatch(0);
        /** How long a call takes. */
        volatile long busyNs;
        volatile Thread last;
        volatile int rows;

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
            end(batch.size());
        }

        @Override
        public void onRows(final EventBatch batch, final int[] some, final int count)
        {
            begin();
            for (int i = 0; i < count; i++)
            {
                row(batch, some[i]);
            }
            end(count);
        }

        private void begin()
        {
            faults.addAndGet(isBusy.getAndSet(true) ? 1 : 0);
            last = Thread.currentThread();
            entered.countDown();
            try
            {
                gate.await();
            }
            catch (final InterruptedException interrupted)
            {
                throw new IllegalStateException(interrupted);
            }
        }

        private void row(final EventBatch batch, final int row)
        {
            faults.addAndGet(batch.ints(1)[row] == next[batch.ints(0)[row]]++ ? 0 : 1);
        }

        private void end(final int count)
        {
            final long endNs = System.nanoTime() + busyNs;
            while (busyNs > 0 && System.nanoTime() - endNs < 0)
            {
                Thread.onSpinWait();
            }
            sizes.add(count);
            rows += count;
            isBusy.set(false);
        }
    }

    WorkerInput open()
    {
        final WorkerInput input = new WorkerInput(SCHEMA, column -> true, new PipelineInstance[]{
            new PipelineInstance("test", listener, List.of(), (rows, reason, detail) -> rejected.addAndGet(rows))},
            worker, (rows, reason, detail) -> rejected.addAndGet(rows), false, MemoryAccount.NONE);
        worker.add(input);
        return input;
    }

    static EventBatch rows(final int source, final int from, final int count)
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

    static Thread started(final Runnable run)
    {
        final Thread thread = new Thread(run);
        thread.start();
        return thread;
    }

    /** Sends so many rows of each source, all sources at once, one of them in longer batches. */
    List<WorkerInput> sendFromAll(final int rows) throws InterruptedException
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
                for (int sent = 0; sent < rows;)
                {
                    final int count = Math.min(rows - sent, 1 + random.nextInt(own == 0 ? 256 : 9));
                    input.send(rows(own, sent, count));
                    sent += count;
                }
            }));
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        return inputs;
    }
}

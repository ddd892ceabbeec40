package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.processor.PairPlan;
import dev.millrace.cql.processor.Waiting;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ring from a source to a worker that ends. */
@Tag("slow")
@Timeout(180)
class WorkerInputTest
{
    private static final int ROUNDS = 1_000;

    private final BatchSchema schema = new BatchSchema(PairPlan.TICK);
    private final ThreadWorker worker = new ThreadWorker("idle", Thread::new);

    @Test
    void shouldRejectEveryRowWhenTheWorkerEndsWhileRowsAreHandedOver() throws Exception
    {
        final EventBatch rows = new EventBatch(schema);
        rows.size(EventBatch.CAPACITY);
        for (int round = 0; round < ROUNDS; round++)
        {
            final AtomicInteger rejected = new AtomicInteger();
            final WorkerInput input = new WorkerInput(schema, column -> true, new PipelineInstance[0], worker,
                (count, reason, detail) -> rejected.addAndGet(count), false, MemoryAccount.NONE);
            final AtomicInteger ready = new AtomicInteger();
            final Thread ending = new Thread(() ->
            {
                meet(ready);
                input.close();
            });
            ending.start();
            meet(ready);
            input.send(rows);
            input.send(rows, new int[] {5, 7}, 2);
            ending.join();
            assertThat(rejected).as("round %d", round).hasValue(EventBatch.CAPACITY + 2);
            assertThat(input.done()).as("round %d", round).isEqualTo(input.taken());
        }
    }

    @Test
    void shouldRestAndKeepTheInterruptWhenAnInterruptedSourceFindsTheRingFull() throws Exception
    {
        final EventBatch rows = new EventBatch(schema);
        rows.size(EventBatch.CAPACITY);
        final WorkerInput input = new WorkerInput(schema, column -> true, new PipelineInstance[0], worker,
            (count, reason, detail) ->
            {
            }, false, MemoryAccount.NONE);
        for (int sent = 0; sent < WorkerInput.RING_ROWS; sent += EventBatch.CAPACITY)
        {
            input.send(rows);
        }
        final AtomicBoolean interruptedAfter = new AtomicBoolean();
        final Thread source = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            input.send(rows);
            interruptedAfter.set(Thread.currentThread().isInterrupted());
        });
        source.start();
        // A thread with a pending interrupt cannot park: it would spin.
        Waiting.until("the source waits and can rest", () -> input.waits() > 0 && !source.isInterrupted());
        while (source.isAlive())
        {
            input.run(Math.max(0, input.poll()));
        }
        assertThat(interruptedAfter).isTrue();
    }

    @Test
    void shouldRunRowsOfAFullRingItselfWhileTheThreadOfTheWorkerIsNotThere()
    {
        final EventBatch rows = new EventBatch(schema);
        rows.size(EventBatch.CAPACITY);
        final WorkerInput input = new WorkerInput(schema, column -> true, new PipelineInstance[0], worker,
            (count, reason, detail) ->
            {
            }, false, MemoryAccount.NONE);
        worker.add(input);
        final int sent = 4 * WorkerInput.RING_ROWS;
        for (int i = 0; i < sent; i += EventBatch.CAPACITY)
        {
            input.send(rows);
        }
        assertThat(input.waits()).isPositive();
        assertThat(input.rows()).isGreaterThanOrEqualTo(sent - WorkerInput.RING_ROWS);
        assertThat(input.rows() + input.waitingRows()).isEqualTo(sent);
    }

    @Test
    void shouldChargeTheRingWithItsFirstRowAndLongerTextsWhileTheyAreInIt()
    {
        final MemoryAccount account = MemoryAccount.unlimited();
        final WorkerInput input = new WorkerInput(schema, column -> true, new PipelineInstance[0], worker,
            (count, reason, detail) ->
            {
            }, false, account);
        assertThat(account.bytes()).isZero();
        final EventBatch rows = new EventBatch(schema);
        final byte[] text = new byte[5_000];
        Arrays.fill(text, (byte)'x');
        rows.texts(0).set(0, text, 0, 3);
        rows.texts(0).set(1, text, 0, 20);
        rows.size(2);
        input.send(rows);
        final long shortBytes = account.bytes();
        assertThat(shortBytes).isGreaterThan(WorkerInput.RING_ROWS * 24L);

        rows.clear();
        rows.texts(0).set(0, text, 0, text.length);
        rows.size(1);
        input.send(rows);
        assertThat(account.bytes() - shortBytes).isBetween(5_000L, 5_020L);

        input.runWaiting();
        rows.clear();
        rows.texts(0).set(0, text, 0, 3);
        rows.size(1);
        input.send(rows);
        assertThat(account.bytes()).isEqualTo(shortBytes);

        input.leave();
        assertThat(account.bytes()).isZero();
    }

    private static void meet(final AtomicInteger ready)
    {
        ready.incrementAndGet();
        while (ready.get() < 2)
        {
            Thread.onSpinWait();
        }
    }
}

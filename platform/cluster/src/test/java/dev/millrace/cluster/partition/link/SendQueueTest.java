package dev.millrace.cluster.partition.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.Clock;
import dev.millrace.cluster.partition.TestNetwork;
import dev.millrace.cluster.partition.link.Handshake.Welcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows in flight to another member, over successive connections. */
@Timeout(60)
class SendQueueTest
{
    private final BatchSchema schema = new BatchSchema(TestNetwork.TRADE);
    private final AtomicInteger progress = new AtomicInteger();
    private final SendQueue queue = new SendQueue(schema, false, MemoryAccount.NONE, progress::incrementAndGet);
    private final List<SendEntry> taken = new ArrayList<>();
    private final Map<Integer, Long> times = new HashMap<>();
    private final List<SendEntry> back = new ArrayList<>();
    private long next;

    private int append(final long epoch, final int rows)
    {
        return queue.append(0, epoch, batch(rows), IntStream.range(0, rows).toArray(), 0, rows);
    }

    private EventBatch batch(final int rows)
    {
        final EventBatch batch = new EventBatch(schema);
        for (int i = 0; i < rows; i++)
        {
            batch.longs(2)[i] = ++next;
        }
        batch.size(rows);
        return batch;
    }

    private boolean take()
    {
        return queue.take(taken, times, () -> false);
    }

    private List<Long> numbers(final List<SendEntry> slots)
    {
        final List<Long> numbers = new ArrayList<>();
        slots.forEach(slot -> IntStream.range(0, slot.size())
            .forEach(row -> numbers.add(slot.batch.longs(2)[row])));
        return numbers;
    }

    @Test
    void shouldSendAgainInOrderWhatTheOtherSideHasNotHad()
    {
        append(1, 2);
        take();
        append(1, 2);
        take();
        append(1, 2);
        assertThat(queue.rowsSent()).isEqualTo(4);
        queue.resume(new Welcome(1, 0), back::addAll);
        take();
        assertThat(numbers(taken)).containsExactly(3L, 4L, 5L, 6L);
        assertThat(taken).extracting(slot -> slot.sequence).containsExactly(2L, 3L);
        assertThat(queue.rowsSentAgain()).isEqualTo(2);
        assertThat(back).isEmpty();
    }

    @Test
    void shouldGiveBackWhatIsNotTakenAnyMore()
    {
        append(1, 2);
        take();
        queue.mark(2);
        append(2, 1);
        queue.resume(new Welcome(0, 2), back::addAll);
        assertThat(numbers(back)).containsExactly(1L, 2L);
        take();
        assertThat(taken).extracting(SendEntry::hasRows).containsExactly(false, true);
        assertThat(numbers(taken)).containsExactly(3L);
    }

    @Test
    void shouldSayTimesAgainOnANewConnection()
    {
        queue.time(7, 100);
        take();
        assertThat(times).isEqualTo(Map.of(7, 100L));
        queue.time(7, 90);
        queue.time(8, 5);
        take();
        queue.resume(new Welcome(0, 0), back::addAll);
        take();
        assertThat(times).isEqualTo(Map.of(7, 100L, 8, 5L));
    }

    @Test
    void shouldTakeNoMoreThanItsBoundUntilSomethingIsAcknowledged()
    {
        for (int i = 0; i < SendQueue.MAX_SLOTS; i++)
        {
            assertThat(append(1, EventBatch.CAPACITY)).isEqualTo(EventBatch.CAPACITY);
        }
        take();
        assertThat(append(1, 3)).isZero();
        assertThat(queue.isDrained()).isFalse();
        final int before = progress.get();
        queue.acknowledge(1);
        assertThat(progress.get()).as("a waiting source is notified").isEqualTo(before + 1);
        assertThat(append(1, 3)).isEqualTo(3);
        final int[] all = IntStream.range(0, EventBatch.CAPACITY).toArray();
        assertThat(queue.appendAgain(0, 1, batch(all.length), all, all.length)).as("rows of a member that has left")
            .isEqualTo(all.length);
    }

    @Test
    void shouldGiveAllThatIsNotAcknowledgedAtItsEnd()
    {
        append(1, 2);
        take();
        queue.mark(2);
        append(2, 2);
        assertThat(numbers(queue.close())).containsExactly(1L, 2L, 3L, 4L);
        assertThat(append(2, 1)).isZero();
        assertThat(take()).isFalse();
        assertThat(queue.isDrained()).isTrue();
    }

    @Test
    void shouldSayTheEndOfASourceBehindItsRowsWhereItIsKnown()
    {
        queue.end(5);
        queue.time(6, 100);
        queue.end(6);
        queue.append(7, 1, batch(2), new int[] {0, 1}, 0, 2);
        queue.time(7, 100);
        take();
        assertThat(taken).extracting(slot -> slot.kind).containsExactly(SendEntry.Kind.ROWS);
        assertThat(times).isEqualTo(Map.of(7, 100L));
        queue.end(7);
        queue.end(7);
        take();
        assertThat(taken).extracting(slot -> slot.kind).containsExactly(SendEntry.Kind.END);
        assertThat(taken).extracting(slot -> slot.way).containsExactly(7);
        queue.resume(new Welcome(1, 0), back::addAll);
        take();
        assertThat(taken).as("sent again on a new connection").extracting(slot -> slot.kind)
            .containsExactly(SendEntry.Kind.END);
        assertThat(times).as("its time is not needed anymore").isEmpty();
        assertThat(queue.isDrained()).isTrue();
    }

    @Test
    void shouldTakeNoFurtherBatchesWhileMemoryIsShortAndGiveAllBackAtTheEnd()
    {
        final long batchBytes = new EventBatch(schema).sizeBytes();
        final MemoryBudget budget = new MemoryBudget(8 * batchBytes, Clock.SYSTEM);
        final SendQueue small = new SendQueue(schema, false,
            budget.open(new MemoryHolder("shop", "trades", "", "links")), progress::incrementAndGet);
        final MemoryAccount others = budget.open(new MemoryHolder("shop", "others", "", "state"));
        final int[] rows = IntStream.range(0, EventBatch.CAPACITY).toArray();
        final EventBatch full = batch(EventBatch.CAPACITY);
        assertThat(small.append(0, 1, full, rows, 0, EventBatch.CAPACITY)).isEqualTo(EventBatch.CAPACITY);
        assertThat(budget.takenBytes()).isBetween(batchBytes, batchBytes + budget.stepBytes());

        others.charge(7 * batchBytes);
        assertThat(small.append(0, 1, full, rows, 0, EventBatch.CAPACITY)).isZero();
        small.take(taken, times, () -> false);
        small.acknowledge(1);
        assertThat(progress).hasValueGreaterThan(0);
        assertThat(small.append(0, 1, full, rows, 0, EventBatch.CAPACITY)).as("one batch is always in flight")
            .isEqualTo(EventBatch.CAPACITY);

        others.close();
        assertThat(small.append(0, 1, full, rows, 0, EventBatch.CAPACITY)).isEqualTo(EventBatch.CAPACITY);
        assertThat(numbers(small.close())).hasSize(2 * EventBatch.CAPACITY);
        assertThat(budget.takenBytes()).isZero();
    }
}

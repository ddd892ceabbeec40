package dev.millrace.network.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.Rejections;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queue of a channel charges its slots and their long strings to the memory budget. */
@Timeout(60)
class QueueMemoryTest
{
    private static final BatchSchema SCHEMA = new BatchSchema(EventType.tuple("Row",
        new EventProperty("number", CqlType.INT), new EventProperty("text", CqlType.CHAR)));
    private static final int SLOTS = 5;
    private static final int LONG = 100_000;

    private final MemoryBudget budget = new MemoryBudget(1 << 22, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "channel", "", "queue"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "other", "", "state"));
    private final ChannelQueue queue = new ChannelQueue(SCHEMA, (SLOTS - 1) * EventBatch.CAPACITY, 1, false, memory);
    private final Rejections rejections = new Rejections("app/channel", Clock.SYSTEM);
    private final QueueInlet inlet =
        new QueueInlet(queue, new BatchStep[0], new LaneCounters(), rejections, null);
    private final EventBatch batch = new EventBatch(SCHEMA);

    private void put(final int textBytes)
    {
        batch.clear();
        final byte[] text = "x".repeat(textBytes).getBytes(StandardCharsets.UTF_8);
        batch.texts(1).set(0, text, 0, text.length);
        batch.size(1);
        inlet.accept(batch);
    }

    @Test
    void shouldRejectRowsWhoseTextsNeedMemoryThatIsNotThereAndTakeThemAgainLater()
    {
        final long slots = memory.bytes();
        assertThat(slots).as("slots").isBetween(SLOTS * 256 * 35L, SLOTS * 256 * 50L);
        put(LONG);
        assertThat(memory.bytes() - slots).as("text").isBetween((long)LONG, 2L * LONG);
        other.charge(budget.limitBytes() - budget.takenBytes());
        put(2 * LONG);
        assertThat(rejections.byReason()).isEqualTo(Map.of("memory-full", 1L));
        put(8);
        assertThat(queue.rows()).as("a row that needs none passes").isEqualTo(2);

        other.release(other.bytes());
        put(2 * LONG);
        assertThat(queue.rows()).isEqualTo(3);
        assertThat(rejections.byReason()).isEqualTo(Map.of("memory-full", 1L));
    }

    @Test
    void shouldGiveBackWhatLongTextsHaveTakenWhileMemoryIsShort()
    {
        final long slots = memory.bytes();
        put(LONG);
        final ChannelQueue.Slot first = queue.take(queue.newSlot());
        queue.done();
        put(8);
        assertThat(memory.bytes() - slots).as("kept for the next string").isGreaterThan(LONG);
        other.charge(budget.limitBytes() - budget.takenBytes());
        queue.take(first);
        queue.done();
        final long left = memory.bytes() - slots;
        assertThat(left).as("given back").isLessThan(LONG);
        other.release(other.bytes());
        put(LONG);
        assertThat(queue.rows()).isEqualTo(1);
        assertThat(rejections.byReason()).isEmpty();
    }
}

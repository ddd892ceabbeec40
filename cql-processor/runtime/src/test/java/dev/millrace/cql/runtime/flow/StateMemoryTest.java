package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.table.LongSlotMap;
import dev.millrace.cql.runtime.table.RowRing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that state charges and releases, and state that is refused when memory is exhausted. */
@Timeout(60)
class StateMemoryTest
{
    private static final int CHUNK = 1024;
    private static final long FAR_APART = 1_000_003;

    private final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));

    private void fill()
    {
        other.charge(budget.limitBytes() - budget.takenBytes());
    }

    @Test
    void shouldRefuseNewKeysWhileMemoryIsShortButKeepThoseThatAreThere()
    {
        final LongSlotMap slots = new LongSlotMap(Integer.MAX_VALUE, memory);
        for (int i = 0; i < 1000; i++)
        {
            assertThat(slots.slotOf(i * FAR_APART)).isEqualTo(i);
        }
        assertThat(memory.bytes()).isBetween(1000L * 16 * 2, 1000L * 16 * 16);
        fill();
        assertThat(slots.slotOf(1000 * FAR_APART)).isEqualTo(LongSlotMap.NONE);
        assertThat(slots.slotOf(999 * FAR_APART)).isEqualTo(999);
        slots.remove(5 * FAR_APART);
        assertThat(slots.slotOf(1001 * FAR_APART)).as("the slot of a forgotten key").isEqualTo(5);
        other.close();
        assertThat(slots.slotOf(1002 * FAR_APART)).isEqualTo(1000);
    }

    @Test
    void shouldChargeLessForKeysThatAreCloseTogether()
    {
        final LongSlotMap slots = new LongSlotMap(Integer.MAX_VALUE, memory);
        for (int i = 0; i < 1000; i++)
        {
            assertThat(slots.slotOf(i)).isEqualTo(i);
        }
        assertThat(memory.bytes()).isBetween(1000L * 4, 1000L * 4 * 10);
        fill();
        assertThat(slots.slotOf(1000)).isEqualTo(LongSlotMap.NONE);
        slots.remove(5);
        assertThat(slots.slotOf(1001)).as("the slot of a forgotten key").isEqualTo(5);
    }

    @Test
    void shouldTakeRowsIntoAWindowAgainWhenOthersHaveLeft()
    {
        final RowRing ring = new RowRing(2, Integer.MAX_VALUE, memory);
        ring.add();
        fill();
        while (!ring.isFull())
        {
            ring.add();
        }
        assertThat(ring.size()).isEqualTo(CHUNK);
        for (int i = 0; i < CHUNK; i++)
        {
            ring.remove();
        }
        assertThat(ring.isFull()).as("its own chunk is kept").isFalse();
        ring.add();
        assertThat(memory.bytes()).isEqualTo(2L * 8 * CHUNK);
    }
}

package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.LongSlots;
import dev.millrace.cql.runtime.RowRing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What state takes of the budget, what it gives back, and what it refuses when there is no more. */
@Timeout(60)
class StateMemoryTest
{
    private static final int CHUNK = 1024;
    private static final RowLayout LAYOUT = new RowLayout(CqlType.BIGINT, CqlType.CHAR);

    private final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));

    private void fill()
    {
        other.charge(budget.limitBytes() - budget.takenBytes());
    }

    @Test
    void shouldChargeChunksOfRowsAndGiveBackThoseWithoutRowsButForOne()
    {
        final RowStore store = new RowStore(LAYOUT, Integer.MAX_VALUE, memory);
        final List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < 4 * CHUNK; i++)
        {
            rows.add(store.allocate());
        }
        // A word of nulls and a number, a reference and a count of claims.
        assertThat(memory.bytes()).isEqualTo(4L * CHUNK * (2 * 8 + 4 + 4));
        final Random random = new Random(7);
        Collections.shuffle(rows, random);
        rows.forEach(store::release);
        assertThat(store.size()).isZero();
        // The one that is open and the one that is kept.
        assertThat(memory.bytes()).isEqualTo(2L * CHUNK * (2 * 8 + 4 + 4));
        for (int i = 0; i < 3 * CHUNK; i++)
        {
            final int row = store.allocate();
            store.setLong(row, 0, i);
            assertThat(store.isNull(row, 1)).isTrue();
        }
        assertThat(memory.bytes()).isEqualTo(3L * CHUNK * (2 * 8 + 4 + 4));
    }

    @Test
    void shouldGiveEachRowItsOwnPlaceWhateverComesAndGoes()
    {
        final RowStore store = new RowStore(new RowLayout(CqlType.BIGINT), Integer.MAX_VALUE, memory);
        final List<Integer> live = new ArrayList<>();
        final List<Long> values = new ArrayList<>();
        final Random random = new Random(20261124);
        for (int step = 0; step < 200_000; step++)
        {
            final boolean grows = (step / 20_000 & 1) == 0;
            if (live.isEmpty() || random.nextInt(10) < (grows ? 7 : 3))
            {
                final int row = store.allocate();
                store.setLong(row, 0, step);
                live.add(row);
                values.add((long)step);
            }
            else
            {
                final int at = random.nextInt(live.size());
                final int last = live.size() - 1;
                assertThat(store.getLong(live.get(at), 0)).isEqualTo(values.get(at));
                store.release(live.get(at));
                live.set(at, live.get(last));
                values.set(at, values.get(last));
                live.remove(last);
                values.remove(last);
            }
            assertThat(store.size()).isEqualTo(live.size());
        }
        for (int i = 0; i < live.size(); i++)
        {
            assertThat(store.getLong(live.get(i), 0)).isEqualTo(values.get(i));
        }
    }

    @Test
    void shouldChargeForTheTextsThatRowsReferToOnceTheyAreKnown()
    {
        final RowStore store = new RowStore(LAYOUT, Integer.MAX_VALUE, memory);
        for (int i = 0; i < CHUNK + 1; i++)
        {
            store.setReference(store.allocate(), 1, "a text of its own, of forty-eight letters, no " + (10 + i % 90));
        }
        final long withTexts = memory.bytes();
        assertThat(withTexts).isBetween(2L * CHUNK * 24 + CHUNK * 80L, 2L * CHUNK * 24 + CHUNK * 120L);
        final RowStore same = new RowStore(LAYOUT, Integer.MAX_VALUE, memory);
        for (int i = 0; i < CHUNK + 1; i++)
        {
            same.setReference(same.allocate(), 1, "one text of all rows");
        }
        assertThat(memory.bytes() - withTexts).as("shared").isLessThan(2L * CHUNK * 24 + CHUNK * 10L);
    }

    @Test
    void shouldRefuseARowThatNeedsAChunkWhileMemoryIsShortAndNoOther()
    {
        final RowStore store = new RowStore(LAYOUT, Integer.MAX_VALUE, memory);
        final int first = store.allocate();
        fill();
        for (int i = 1; i < CHUNK; i++)
        {
            store.allocate();
        }
        assertThatThrownBy(store::allocate).isInstanceOf(RowRejectedException.class)
            .hasMessageContaining("greatest: app/proc/other/state=");
        store.release(first);
        assertThat(store.allocate()).as("a place that is free").isEqualTo(first);
        other.close();
        store.allocate();
    }

    @Test
    void shouldRefuseNewKeysWhileMemoryIsShortButKeepThoseThatAreThere()
    {
        final LongSlots slots = new LongSlots(Integer.MAX_VALUE, memory);
        for (int i = 0; i < 1000; i++)
        {
            assertThat(slots.slotOf(i)).isEqualTo(i);
        }
        assertThat(memory.bytes()).isBetween(1000L * 16 * 2, 1000L * 16 * 16);
        fill();
        assertThat(slots.slotOf(1000)).isEqualTo(LongSlots.NONE);
        assertThat(slots.slotOf(999)).isEqualTo(999);
        slots.remove(5);
        assertThat(slots.slotOf(1001)).as("the slot of a forgotten key").isEqualTo(5);
        other.close();
        assertThat(slots.slotOf(1002)).isEqualTo(1000);
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

package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.row.RowRejectedException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of a partition are found by their numbers and distances, and keep their values. */
@Timeout(60)
class RowQueuesTest
{
    private static final CqlType[] TYPES = {CqlType.INT, CqlType.BIGINT, CqlType.TIMESTAMP, CqlType.INTERVAL,
        CqlType.FLOAT, CqlType.DOUBLE, CqlType.BOOLEAN, CqlType.CHAR, CqlType.BIGDECIMAL};

    private final List<Integer> left = new ArrayList<>();

    /** A queue of rows with the numbers 10, 20, ... and ids, among rows of another queue. */
    private static long queue(final RowQueues rows, final int count, final List<Integer> ids)
    {
        long queue = 0;
        long other = 0;
        for (int i = 1; i <= count; i++)
        {
            other = rows.append(other, rows.add(1000 + i, i, 0));
            final int row = rows.add(10L * i, 100L * i, i);
            ids.add(row);
            queue = rows.append(queue, row);
        }
        return queue;
    }

    @Test
    void shouldFindRowsByDistanceAndRemoveTheFirst()
    {
        final RowQueues rows = new RowQueues(new CqlType[]{CqlType.INT}, MemoryAccount.NONE);
        final List<Integer> ids = new ArrayList<>();
        assertThat(rows.first(0)).isNegative();
        long queue = queue(rows, 4, ids);
        assertThat(rows.size()).isEqualTo(8);
        assertThat(rows.first(queue)).isEqualTo(ids.get(0));
        assertThat(rows.arrival(ids.get(2))).isEqualTo(30);
        assertThat(rows.timeNs(ids.get(2))).isEqualTo(300);
        assertThat(rows.outputIndex(ids.get(2))).isEqualTo(3);
        assertThat(rows.after(queue, 10, 0)).isEqualTo(ids.get(0));
        assertThat(rows.after(queue, 10, 1)).isEqualTo(ids.get(1));
        assertThat(rows.after(queue, 20, 2)).isEqualTo(ids.get(3));
        assertThat(rows.after(queue, 20, 3)).isNegative();
        assertThat(rows.after(queue, 15, 1)).isNegative();
        queue = rows.removeFirst(queue);
        assertThat(rows.first(queue)).isEqualTo(ids.get(1));
        assertThat(rows.after(queue, 20, 2)).isEqualTo(ids.get(3));
        queue = rows.removeFirst(rows.removeFirst(queue));
        assertThat(rows.first(queue)).isEqualTo(ids.get(3));
        final int next = rows.add(50, 500, 5);
        queue = rows.append(queue, next);
        assertThat(rows.after(queue, 40, 1)).isEqualTo(next);
        queue = rows.removeFirst(queue);
        assertThat(rows.first(queue)).isEqualTo(next);
        assertThat(rows.removeFirst(queue)).isZero();
        assertThat(rows.size()).isEqualTo(4);
        // The record of a row that was released once referred to another one.
        final long reused = rows.append(0, rows.add(60, 600, 6));
        assertThat(rows.after(reused, 60, 1)).isNegative();
        assertThat(rows.removeFirst(reused)).isZero();
    }

    @Test
    void shouldCancelWhatTheRowsOfAMatchHaveReserved()
    {
        final RowQueues rows = new RowQueues(new CqlType[]{CqlType.INT}, MemoryAccount.NONE);
        final MatchRows matches = new MatchRows(new CqlType[0], new BitSet(), 10, MemoryAccount.NONE);
        final MatchOutput output = new MatchOutput(matches, new MatchTarget()
        {
            @Override
            public void put(final int row, final long timeNs)
            {
                left.add(row);
            }

            @Override
            public void close(final long timeNs)
            {
                // Only rows matter.
            }
        }, true, false);
        for (int i = 0; i < 6; i++)
        {
            output.fill(output.reserve(i, i), matches.add());
        }
        final List<Integer> ids = new ArrayList<>();
        final long queue = queue(rows, 5, ids);
        // The rows 40 and 50, then the rows from 30: those of the first match have nothing reserved any more.
        rows.match(queue, 40, output);
        assertThat(ids.stream().map(rows::isMatched).toList()).containsExactly(false, false, false, true, true);
        output.fill(4, 4);
        rows.match(queue, 30, output);
        assertThat(ids.stream().map(rows::isMatched).toList()).containsExactly(false, false, true, true, true);
        output.release(5);
        assertThat(left).containsExactly(0, 1, 2, 4);
    }

    @Test
    void shouldRestoreAllValues()
    {
        final RowQueues rows = new RowQueues(TYPES, MemoryAccount.NONE);
        final int full = rows.add(1, 2, 3);
        rows.setLong(full, 0, -7);
        rows.setLong(full, 1, 1L << 40);
        rows.setLong(full, 2, 5);
        rows.setLong(full, 3, -6);
        rows.setDouble(full, 4, 1.5);
        rows.setDouble(full, 5, 0.1);
        rows.setLong(full, 6, 1);
        rows.setReference(full, 7, "text");
        rows.setReference(full, 8, new BigDecimal("1.20"));
        final int empty = rows.add(4, 5, 6);
        rows.setReference(empty, 7, "");
        rows.setReference(empty, 8, null);
        final StateOutput to = new StateOutput(1 << 20);
        rows.write(to);
        final RowQueues read = new RowQueues(TYPES, MemoryAccount.NONE);
        final StateInput from = new StateInput(to.toBytes());
        read.read(from);
        from.end();
        assertThat(read.size()).isEqualTo(2);
        assertThat(read.getLong(full, 0)).isEqualTo(-7);
        assertThat(read.getLong(full, 3)).isEqualTo(-6);
        assertThat(read.getDouble(full, 5)).isEqualTo(0.1);
        assertThat(read.getReference(full, 7)).isEqualTo("text");
        assertThat(read.getReference(full, 8)).isEqualTo(new BigDecimal("1.20"));
        assertThat(read.arrival(empty)).isEqualTo(4);
        for (int i = 0; i < TYPES.length; i++)
        {
            assertThat(read.isNull(full, i)).as(TYPES[i].name()).isFalse();
            assertThat(read.isNull(empty, i)).as(TYPES[i].name()).isTrue();
        }
    }

    @Test
    void shouldRejectRowsWhileMemoryIsShortUnlessOneIsFree()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 16, new ManualClock(0));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
        final RowQueues rows = new RowQueues(TYPES, memory);
        final List<Integer> ids = new ArrayList<>();
        final long queue = queue(rows, 2, ids);
        memory.charge(1 << 17);
        assertThatThrownBy(() -> rows.add(1, 2, 3)).isInstanceOf(RowRejectedException.class);
        rows.removeFirst(queue);
        assertThat(rows.add(1, 2, 3)).isEqualTo(ids.get(0));
        assertThatThrownBy(() -> rows.add(1, 2, 3)).isInstanceOf(RowRejectedException.class);
    }
}

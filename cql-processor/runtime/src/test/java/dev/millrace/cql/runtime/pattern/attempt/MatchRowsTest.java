package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of matches keep their own values, leave unchanged, and are refused beyond the capacity. */
@Timeout(60)
class MatchRowsTest
{
    private static final CqlType[] TYPES = {CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE,
        CqlType.BOOLEAN, CqlType.CHAR, CqlType.BIGDECIMAL};
    private static final BitSet NO_CODES = new BitSet();

    private final MemoryBudget budget = new MemoryBudget(1 << 20, new ManualClock(0));
    private final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
    private final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));

    @Test
    void shouldGiveEachRowItsOwnPlaceWhateverComesAndGoes()
    {
        final MatchRows rows = new MatchRows(new CqlType[]{CqlType.BIGINT, CqlType.CHAR}, NO_CODES,
            Integer.MAX_VALUE, memory);
        final List<Integer> live = new ArrayList<>();
        final List<Long> values = new ArrayList<>();
        final Random random = new Random(20261128);
        for (long step = 0; step < 50_000; step++)
        {
            if (live.isEmpty() || random.nextInt(10) < ((step / 5_000 & 1) == 0 ? 7 : 3))
            {
                final int row = rows.add();
                assertThat(rows.isNull(row, 0)).isTrue();
                assertThat(rows.isNull(row, 1)).isTrue();
                assertThat(rows.next(row)).isNegative();
                rows.setLong(row, 0, step);
                rows.setReference(row, 1, "text " + step);
                live.add(row);
                values.add(step);
                continue;
            }
            final int at = random.nextInt(live.size());
            final int row = live.remove(at);
            final long value = values.remove(at);
            assertThat(rows.getLong(row, 0)).isEqualTo(value);
            assertThat(rows.getReference(row, 1)).isEqualTo("text " + value);
            rows.free(row);
        }
        assertThat(rows.size()).isEqualTo(live.size());
    }

    @Test
    void shouldCopyValuesAndNullsOfAllTypes()
    {
        final MatchRows rows = new MatchRows(TYPES, NO_CODES, Integer.MAX_VALUE, memory);
        final int full = rows.add();
        rows.setLong(full, 0, -7);
        rows.setLong(full, 1, 1L << 40);
        rows.setDouble(full, 2, 1.5F);
        rows.setDouble(full, 3, 0.1);
        rows.setLong(full, 4, 1);
        rows.setReference(full, 5, "text");
        rows.setReference(full, 6, new BigDecimal("1.20"));
        final int empty = rows.add();
        rows.setReference(empty, 5, "");
        final EventProperty[] columns = new EventProperty[TYPES.length];
        Arrays.setAll(columns, i -> new EventProperty("c" + i, TYPES[i]));
        final EventBatch batch = new EventBatch(new BatchSchema(EventType.tuple("Out", columns)));
        rows.copy(full, batch, 0);
        rows.copy(empty, batch, 1);
        // The row of the batch was null.
        rows.copy(empty, batch, 2);
        rows.copy(full, batch, 2);
        batch.size(3);
        for (final int row : new int[]{0, 2})
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < TYPES.length; column++)
            {
                values.add(batch.value(column, row));
            }
            assertThat(values).containsExactly(-7, 1L << 40, 1.5F, 0.1, true, "text", new BigDecimal("1.20"));
        }
        for (int column = 0; column < TYPES.length; column++)
        {
            assertThat(batch.isNull(column, 1)).as("column %s", column).isTrue();
        }
    }

    @Test
    void shouldTellNullsApartBeyondTheColumnsOfAWord()
    {
        final CqlType[] types = new CqlType[70];
        Arrays.fill(types, CqlType.INT);
        final MatchRows rows = new MatchRows(types, NO_CODES, Integer.MAX_VALUE, memory);
        final int row = rows.add();
        rows.setLong(row, 3, 33);
        rows.setLong(row, 67, 77);
        for (int column = 0; column < types.length; column++)
        {
            assertThat(rows.isNull(row, column)).as("column %s", column).isEqualTo(column != 3 && column != 67);
        }
        assertThat(rows.getLong(row, 3)).isEqualTo(33);
        assertThat(rows.getLong(row, 67)).isEqualTo(77);
    }

    @Test
    void shouldRefuseRowsBeyondTheBound()
    {
        final MatchRows rows = new MatchRows(TYPES, NO_CODES, 2, memory);
        final int first = rows.add();
        rows.add();
        assertThatThrownBy(rows::add).isInstanceOf(RowRejectedException.class).hasMessageContaining("maxRows=2");
        rows.free(first);
        assertThat(rows.add()).isEqualTo(first);
    }

    @Test
    void shouldRefuseARowWhileMemoryIsShortUnlessAPlaceIsFree()
    {
        final MatchRows rows = new MatchRows(TYPES, NO_CODES, Integer.MAX_VALUE, memory);
        final int first = rows.add();
        other.charge(budget.limitBytes() - budget.takenBytes());
        assertThatThrownBy(rows::add).isInstanceOf(RowRejectedException.class)
            .hasMessageContaining("greatest: app/proc/other/state=");
        rows.free(first);
        assertThat(rows.add()).as("a place that is free").isEqualTo(first);
        other.close();
        assertThat(rows.add()).isNotEqualTo(first);
    }
}

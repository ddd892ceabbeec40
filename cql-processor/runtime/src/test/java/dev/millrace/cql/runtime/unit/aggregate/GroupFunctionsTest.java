package dev.millrace.cql.runtime.unit.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupFunctionsTest
{
    /** A user-defined sum that cannot remove rows, refuses negative values, and fails when it is 13. */
    private static final class Sum implements GroupAggregate
    {
        private int sum;

        @Override
        public void reset()
        {
            sum = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if ((int)arguments[0] < 0)
            {
                throw new IllegalArgumentException("negative");
            }
            sum += (int)arguments[0];
        }

        @Override
        public Object value()
        {
            if (sum == 13)
            {
                throw new IllegalStateException("unlucky");
            }
            return (long)sum;
        }
    }

    private final GroupFunctions sums =
        new GroupFunctions(Sum::new, "total", CqlType.INT, MemoryAccount.unlimited());

    private RowRejectedException enter(final int group, final boolean isFirst, final int value)
    {
        return sums.enter(group, isFirst, new Object[]{value}, sums.number());
    }

    private Object change(final int group)
    {
        sums.compute(group, null);
        final Object value = sums.value(group, false);
        sums.shown(group, false);
        return value;
    }

    @Test
    void shouldTakeRemainingRowsAnewWhenTheFunctionCannotTakeOneOut()
    {
        assertThat(enter(0, true, 4)).isNull();
        assertThat(enter(0, false, 5)).isNull();
        assertThat(change(0)).isEqualTo(9);
        sums.leave(0, new Object[]{4}, -1, null);
        sums.compute(0, null);
        assertThat(sums.value(0, true)).isEqualTo(9);
        assertThat(sums.value(0, false)).isEqualTo(5);
    }

    @Test
    void shouldSayWhyARowIsNotTakenAndKeepTheGroupAsItIs()
    {
        assertThat(enter(40, true, 4)).isNull();
        assertThat(enter(40, false, -1)).hasMessageContaining("total").hasMessageContaining("negative");
        assertThat(change(40)).isEqualTo(4);
    }

    @Test
    void shouldFailWhereAValueIsReadThatCouldNotBeComputed()
    {
        enter(0, true, 13);
        sums.compute(0, null);
        assertThatThrownBy(() -> sums.value(0, false)).isInstanceOf(RowRejectedException.class)
            .hasMessageContaining("unlucky");
        sums.shown(0, false);
        enter(0, false, 1);
        assertThat(change(0)).isEqualTo(14);
    }

    @Test
    void shouldBeginAnewWhenItsGroupHasComeBack()
    {
        enter(0, true, 4);
        change(0);
        sums.shown(0, true);
        enter(0, true, 5);
        assertThat(change(0)).isEqualTo(5);
    }

    @Test
    void shouldChargeTheDifferentValuesThatItKeeps()
    {
        final MemoryAccount memory = MemoryAccount.unlimited();
        final GroupFunctions least =
            new GroupFunctions(() -> new ExtremeValues(false, false), "min", CqlType.CHAR, memory);
        least.enter(0, true, new Object[]{"b"}, 1);
        final long one = memory.bytes();
        least.enter(0, false, new Object[]{"a"}, 2);
        final long two = memory.bytes();
        assertThat(two).isGreaterThan(one);
        least.enter(0, false, new Object[]{"a"}, 3);
        least.leave(0, new Object[]{"a"}, 2, null);
        assertThat(memory.bytes()).isEqualTo(two);
        least.leave(0, new Object[]{"a"}, 3, null);
        assertThat(memory.bytes()).isEqualTo(one);
        least.leave(0, new Object[]{"b"}, 1, null);
        least.compute(0, null);
        least.shown(0, true);
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void shouldCountEqualDecimalsOnceWhateverTheirScale()
    {
        final DistinctArguments sum = new DistinctArguments(new NumberSum("sum", CqlType.BIGDECIMAL));
        sum.reset();
        sum.plus(new Object[]{new BigDecimal("1.50")});
        sum.plus(new Object[]{new BigDecimal("1.5")});
        sum.plus(new Object[]{new BigDecimal("2")});
        assertThat((BigDecimal)sum.value()).isEqualByComparingTo("3.5");
        sum.minus(new Object[]{new BigDecimal("1.5")});
        assertThat((BigDecimal)sum.value()).isEqualByComparingTo("3.5");
        sum.minus(new Object[]{new BigDecimal("1.5")});
        assertThat((BigDecimal)sum.value()).isEqualByComparingTo("2");
    }
}

package dev.millrace.cql.runtime.pattern.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Aggregates see the arguments of the rows of their variables, in order, distinct ones once. */
@Timeout(60)
class RowAggregatesTest
{
    private static final int CURRENT = -1;
    /** The variables 0, 1 and 2. */
    private static final long ALL = 7;

    private final List<Object> values = new ArrayList<>();
    private final List<Integer> labels = new ArrayList<>();
    private Object current;

    /** Collects its arguments. */
    private static final class Collecting implements GroupAggregate
    {
        private List<Object> seen = Arrays.asList("before reset");

        @Override
        public void reset()
        {
            seen = new ArrayList<>();
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if ("bad".equals(arguments[0]))
            {
                throw new IllegalStateException("bad argument");
            }
            seen.add(arguments[0]);
        }

        @Override
        public void minus(final Object[] arguments)
        {
            throw new AssertionError();
        }

        @Override
        public Object value()
        {
            return List.copyOf(seen);
        }
    }

    /** Row {@code i} follows row {@code i - 1}. */
    private final RowAggregates.Rows rows = new RowAggregates.Rows()
    {
        @Override
        public int previous(final int row)
        {
            return row - 1;
        }

        @Override
        public int variable(final int row)
        {
            return labels.get(row);
        }

        @Override
        public Object argument(
            final int aggregate, final int index, final int partition, final int row, final int variable)
        {
            return row == CURRENT ? current : values.get(row);
        }
    };

    private Object value(final long variables, final boolean isDistinct, final int variable)
    {
        return new RowAggregates(new RowAggregates.Aggregate[]{
            new RowAggregates.Aggregate(Collecting::new, "collect", variables, 1, isDistinct)}, rows)
            .value(0, 0, values.size() - 1, variable);
    }

    private void add(final Object value, final int label)
    {
        values.add(value);
        labels.add(label);
    }

    @Test
    void shouldReadTheRowsOfItsVariablesAndTheCurrentOne()
    {
        add("a", 0);
        add("b", 1);
        add(null, 1);
        add("c", 2);
        add("d", 1);
        current = "e";
        assertThat(value(ALL, false, CURRENT)).isEqualTo(List.of("a", "b", "c", "d"));
        assertThat(value(2, false, CURRENT)).isEqualTo(List.of("b", "d"));
        assertThat(value(2, false, 1)).isEqualTo(List.of("b", "d", "e"));
        assertThat(value(2, false, 0)).isEqualTo(List.of("b", "d"));
        assertThat(value(1, false, 0)).isEqualTo(List.of("a", "e"));
        labels.set(0, -1);
        assertThat(value(-1, false, CURRENT)).as("without the record of a match without rows")
            .isEqualTo(List.of("b", "c", "d"));
    }

    @Test
    void shouldReadMoreRowsThanItHasRoomForAtFirst()
    {
        final List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            add(i, 0);
            expected.add(i);
        }
        assertThat(value(1, false, CURRENT)).isEqualTo(expected);
    }

    @Test
    void shouldCountValuesThatAreEqualInCqlOnce()
    {
        add(0.0, 0);
        add(-0.0, 0);
        add(2.0, 0);
        add(1.5f, 0);
        add(-0.0f, 0);
        add(0.0f, 0);
        add(new BigDecimal("1.0"), 0);
        add(new BigDecimal("1.00"), 0);
        add("x", 0);
        add("x", 0);
        final byte[] bytes = {1, 2};
        add(bytes, 0);
        add(new byte[]{1, 2}, 0);
        current = "x";
        assertThat(value(1, true, 0)).isEqualTo(
            List.of(0.0, 2.0, 1.5f, -0.0f, new BigDecimal("1.0"), "x", bytes));
        assertThat((List<?>)value(1, false, 0)).hasSize(13);
    }

    @Test
    void shouldRejectTheRowWhenAFunctionFails()
    {
        add("bad", 0);
        assertThatThrownBy(() -> value(1, false, CURRENT)).isInstanceOf(RowRejectedException.class)
            .satisfies(failure -> assertThat(((RowRejectedException)failure).reason())
                .isEqualTo(RejectionHandler.AGGREGATE_FAILED));
    }
}

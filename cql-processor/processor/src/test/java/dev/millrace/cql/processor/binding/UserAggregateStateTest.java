package dev.millrace.cql.processor.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.api.function.CheckpointedState;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.cql.runtime.unit.aggregate.GroupFunctions;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Aggregates of applications whose state is written with that of their groups. */
@Timeout(60)
class UserAggregateStateTest
{
    /** A sum that cannot be written. */
    public static class Total implements dev.millrace.api.function.AggregateFunction
    {
        long total;

        @Override
        public void handleReset()
        {
            total = 0;
        }

        @Override
        public void handlePlus(final Object[] arguments)
        {
            total += (Long)arguments[0];
        }

        @Override
        public void handleMinus(final Object[] arguments)
        {
            total -= (Long)arguments[0];
        }

        @Override
        public Object value()
        {
            return total;
        }
    }

    /** Writes its state. */
    public static final class KeptTotal extends Total implements CheckpointedState
    {
        @Override
        public void snapshotState(final DataOutput to) throws IOException
        {
            to.writeLong(total);
        }

        @Override
        public void restoreState(final DataInput from) throws IOException
        {
            total = from.readLong();
        }
    }

    private static GroupFunctions functions(
        final Supplier<dev.millrace.api.function.AggregateFunction> maker, final boolean isIncremental)
    {
        final GroupAggregateFactory factory = UserAggregate.factory("total", new AggregateFunctionFactory()
        {
            @Override
            public List<Class<?>> argumentTypes()
            {
                return List.of(long.class);
            }

            @Override
            public Class<?> resultType()
            {
                return long.class;
            }

            @Override
            public boolean isIncremental()
            {
                return isIncremental;
            }

            @Override
            public dev.millrace.api.function.AggregateFunction newFunction()
            {
                return maker.get();
            }
        });
        return new GroupFunctions(factory, "total", CqlType.BIGINT, MemoryAccount.NONE);
    }

    private static void enter(final GroupFunctions functions, final int group, final boolean isFirst, final long value)
    {
        assertThat(functions.enter(group, isFirst, new Object[] {value}, functions.number())).isNull();
        functions.compute(group, null);
    }

    private static GroupFunctions restarted(final GroupFunctions functions, final GroupFunctions into)
    {
        final StateOutput to = new StateOutput(1 << 12);
        functions.write(to);
        final StateInput from = new StateInput(to.toBytes());
        into.read(from);
        from.end();
        return into;
    }

    @Test
    void shouldGoOnWithWhatAnAggregateHasWritten()
    {
        final GroupFunctions first = functions(KeptTotal::new, true);
        enter(first, 0, true, 5);
        enter(first, 1, true, 7);
        final GroupFunctions second = restarted(first, functions(KeptTotal::new, true));
        assertThat(second.value(0, false)).isEqualTo(5L);
        second.leave(1, new Object[] {7L}, -1, null);
        enter(second, 1, false, 1);
        assertThat(second.value(1, false)).isEqualTo(1L);
        enter(second, 0, false, 10);
        assertThat(second.value(0, false)).isEqualTo(15L);
    }

    @Test
    void shouldGiveAnAggregateItsRowsAgainThatTakesNoneOut()
    {
        final GroupFunctions first = functions(Total::new, false);
        enter(first, 0, true, 5);
        enter(first, 0, false, 6);
        final GroupFunctions second = restarted(first, functions(Total::new, false));
        enter(second, 0, false, 10);
        assertThat(second.value(0, false)).isEqualTo(21L);
    }

    @Test
    void shouldNameTheClassThatDoesNotSayWhatItsStateIs()
    {
        final GroupFunctions functions = functions(Total::new, true);
        enter(functions, 0, true, 5);
        assertThatThrownBy(() -> functions.write(new StateOutput(1 << 12))).isInstanceOf(StateException.class)
            .hasMessageContaining("function=total").hasMessageContaining("class=" + Total.class.getName())
            .hasMessageContaining(CheckpointedState.class.getName());
    }
}

package dev.millrace.api.oep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.function.AggregateFunction;
import dev.millrace.api.stage.EventRejectedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The platform calls migrated classes through the roles of the other packages. */
@Timeout(60)
class MigratedRolesTest
{
    private static final class Sum implements AggregationFunction, AggregationFunctionFactory
    {
        private int sum;

        @Override
        public Class<?>[] getArgumentTypes()
        {
            return new Class<?>[] {Integer.class};
        }

        @Override
        public Class<?> getReturnType()
        {
            return Long.class;
        }

        @Override
        public AggregationFunction newAggregationFunction()
        {
            return new Sum();
        }

        @Override
        public void releaseAggregationFunction(final AggregationFunction function)
        {
            throw new AssertionError("not called");
        }

        @Override
        public void initialize()
        {
            sum = 0;
        }

        @Override
        public Object handlePlus(final Object[] params)
        {
            sum += (Integer)params[0];
            return (long)sum;
        }

        @Override
        public Object handleMinus(final Object[] params)
        {
            sum -= (Integer)params[0];
            return (long)sum;
        }
    }

    @Test
    void shouldAggregateIncrementally()
    {
        final Sum factory = new Sum();
        assertThat(factory.argumentTypes()).containsExactly(Integer.class);
        assertThat(factory.resultType()).isEqualTo(Long.class);
        assertThat(factory.isIncremental()).isTrue();

        final AggregateFunction function = factory.newFunction();
        function.handleReset();
        assertThat(function.value()).isNull();
        function.handlePlus(new Object[] {3});
        function.handlePlus(new Object[] {4});
        assertThat(function.value()).isEqualTo(7L);
        function.handleMinus(new Object[] {3});
        assertThat(function.value()).isEqualTo(4L);
        function.handleReset();
        assertThat(function.value()).isNull();
    }

    @Test
    void shouldPassSingleEventsToABatchSink() throws EventRejectedException
    {
        final List<String> calls = new ArrayList<>();
        final BatchRelationSink sink = new BatchRelationSink()
        {
            @Override
            public void onInsertEvents(final Collection<Object> events)
            {
                calls.add("inserted " + events);
            }

            @Override
            public void onEvents(final Collection<Object> insertEvents, final Collection<Object> deleteEvents,
                final Collection<Object> updateEvents)
            {
                calls.add(insertEvents + " deleted " + deleteEvents + " updated " + updateEvents);
            }
        };

        sink.onInsertEvent(1);
        sink.onDeleteEvent(2);
        sink.onUpdateEvent(3);

        assertThat(calls).containsExactly("inserted [1]", "[] deleted [2] updated []", "[] deleted [] updated [3]");
    }
}

package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.Growth;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators of flows keep grows in small steps, however many rows and groups there are. */
@Timeout(120)
class FlowGrowthTest
{
    private static final int MANY = 1 << 20;
    /** Rows through a flow, fewer than its bound. */
    private static final int ROWS = 1_000_000;
    private static final int[] FIRST = {0};

    /** Takes note of nothing. */
    private static final class End extends FlowOperator
    {
        End(final FlowOperator input)
        {
            super(input.store(), input);
        }

        @Override
        protected void process(final long nowNs)
        {
        }
    }

    private static int row(final RowStore store, final long value)
    {
        final int row = store.allocate();
        store.setLong(row, 0, value);
        return row;
    }

    @Test
    void shouldFindRowsInTablesThatGrowInSmallSteps()
    {
        final RowStore store = FlowHarness.store(CqlType.BIGINT);
        final RowIndex different = new RowIndex(store, FIRST);
        Growth.check("RowIndex of different keys", MANY, i ->
        {
            different.add(row(store, i));
            store.release(i);
        });
        final RowIndex unique = RowIndex.unique(store, FIRST);
        Growth.check("RowIndex of one row a key", MANY, unique::add);
        final RowIndex equal = new RowIndex(store, new int[0]);
        Growth.check("RowIndex of one key", MANY, equal::add);
        final RowCounts counts = new RowCounts(store);
        Growth.check("RowCounts", MANY, i -> counts.change(i, 1));
        for (int i = 0; i < MANY; i++)
        {
            counts.drop(i);
            equal.remove(i);
            unique.remove(i);
        }
        Growth.check("RowStore of rows that go", MANY, different::remove);
    }

    @Test
    void shouldKeepAggregatesInTablesThatGrowInSmallSteps()
    {
        final RowStore store = FlowHarness.store(CqlType.BIGINT, CqlType.BIGDECIMAL, CqlType.CHAR);
        final int row = row(store, 7);
        store.setReference(row, 1, java.math.BigDecimal.TEN);
        store.setReference(row, 2, "seven");
        final List<Accumulator> all = List.of(new CountAccumulator(0), new SumAccumulator(0, CqlType.BIGINT, false),
            new DecimalSumAccumulator(1, true), new ExtremeAccumulator(0, true), new ExtremeAccumulator(2, true),
            new DistinctAccumulator(new CountAccumulator(0), FIRST, FlowHarness.store(CqlType.BIGINT)),
            new FunctionAccumulator("f", FIRST, Nothing::new));
        for (final Accumulator accumulator : all)
        {
            Growth.check(accumulator.getClass().getSimpleName(), MANY, group ->
            {
                accumulator.open(group);
                accumulator.plus(group, store, row);
            });
        }
    }

    @Test
    void shouldKeepTheValuesOfOneGroupInTablesThatGrowInSmallSteps()
    {
        final RowStore store = FlowHarness.store(CqlType.BIGINT);
        final List<Accumulator> all = List.of(new ExtremeAccumulator(0, true),
            new DistinctAccumulator(new CountAccumulator(0), FIRST, FlowHarness.store(CqlType.BIGINT)),
            new FunctionAccumulator("f", FIRST, Nothing::new));
        for (final Accumulator accumulator : all)
        {
            accumulator.open(0);
            final int row = store.allocate();
            Growth.check("one group of " + accumulator.getClass().getSimpleName(), MANY, i ->
            {
                store.setLong(row, 0, i);
                accumulator.plus(0, store, row);
            });
        }
    }

    /** An aggregate that needs all its rows again, and does nothing with them. */
    private static final class Nothing implements AggregateFunction
    {
        @Override
        public void reset()
        {
        }

        @Override
        public void plus(final Object[] arguments)
        {
        }

        @Override
        public void minus(final Object[] arguments)
        {
        }

        @Override
        public Object value()
        {
            return null;
        }

        @Override
        public boolean isIncremental()
        {
            return false;
        }
    }

    /** Each row has a key of its own and stays. */
    private static void checkFlow(final String name, final Function<List<SourceOperator>, FlowOperator> flow)
    {
        final FlowHarness harness = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, false,
            FlowHarness.TYPE, sources -> new End(flow.apply(sources)));
        Growth.check(name, ROWS, i -> harness.row(0, i, EventBatch.INSERT, i, i, 0.0, "a"));
    }

    private static FlowOperator unbounded(final List<SourceOperator> sources)
    {
        return new RangeWindow(sources.get(0), FlowOperator.NEVER);
    }

    @Test
    void shouldKeepWindowsAndGroupsInTablesThatGrowInSmallSteps()
    {
        checkFlow("GroupOperator", sources -> new GroupOperator(unbounded(sources), FIRST,
            new Accumulator[] {new CountAccumulator(-1)}, FlowHarness.store(CqlType.INT, CqlType.BIGINT), MANY));
        checkFlow("PartitionWindow", sources -> new PartitionWindow(sources.get(0), FIRST, 1, 0, 0));
        checkFlow("PartitionWindow of one group",
            sources -> new PartitionWindow(sources.get(0), new int[0], MANY, 0, 0));
        checkFlow("SessionWindow", sources -> new SessionWindow(sources.get(0), FIRST, MANY));
        checkFlow("SessionWindow of one key", sources -> new SessionWindow(sources.get(0), new int[0], MANY));
    }
}

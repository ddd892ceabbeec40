package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.Growth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What patterns keep of rows grows in small steps, however many rows and partitions there are. */
@Timeout(120)
class FlowGrowthTest
{
    private static final int MANY = 1 << 20;

    @Test
    void shouldFindRowsInTablesThatGrowInSmallSteps()
    {
        final RowStore store = new RowStore(new RowLayout(CqlType.BIGINT), MANY);
        final RowIndex index = new RowIndex(store, new int[] {0});
        Growth.check("RowIndex", MANY, i ->
        {
            final int row = store.allocate();
            store.setLong(row, 0, i);
            index.add(row);
            store.release(row);
        });
        Growth.check("RowStore of rows that go", MANY, index::remove);
    }

    @Test
    void shouldKeepRowsThatWaitInAQueueThatGrowsInSmallSteps()
    {
        final RowStore store = new RowStore(new RowLayout(CqlType.BIGINT), MANY);
        final TimedQueue queue = new TimedQueue(store);
        Growth.check("TimedQueue", MANY, i -> queue.give(store.allocate(), i));
    }
}

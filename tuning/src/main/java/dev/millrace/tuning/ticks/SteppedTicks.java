package dev.millrace.tuning.ticks;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.Events;
import dev.millrace.tuning.harness.TickData;

/** Ticks with coded symbols, each one step of event time after the previous one. */
final class SteppedTicks implements Events
{
    private final BatchSchema schema;
    private final StringTable strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private final int[] ids;
    private final double[] prices;
    private final int stepNs;

    /**
     * @param data   symbols
     * @param stepNs from tick to tick, of all symbols together
     */
    SteppedTicks(final TickData data, final double[] prices, final int stepNs)
    {
        ids = data.coded(strings);
        schema = new BatchSchema(BenchQueries.TICK);
        this.prices = prices;
        this.stepNs = stepNs;
    }

    /** Schema of the batches. */
    BatchSchema schema()
    {
        return schema;
    }

    /** The table of their symbols' codes. */
    StringTable strings()
    {
        return strings;
    }

    @Override
    public int count()
    {
        return ids.length;
    }

    @Override
    public long fill(final EventBatch batch, final int from, final int n, final long startNs)
    {
        System.arraycopy(ids, from, batch.texts(0).writeCodes(strings), 0, n);
        System.arraycopy(prices, from, batch.doubles(1), 0, n);
        batch.size(n);
        return Events.stamp(batch, n, startNs, stepNs);
    }
}

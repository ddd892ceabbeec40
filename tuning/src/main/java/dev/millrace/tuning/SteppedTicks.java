package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.PipelineBindings;

/** Ticks that are coded already, each a step of event time after the one before. */
final class SteppedTicks implements Events
{
    private final BatchSchema schema;
    private final Codes strings = PipelineBindings.newStrings(MemoryAccount.NONE);
    private final int[] ids;
    private final double[] prices;
    private final int stepNs;

    /**
     * Makes them.
     *
     * @param data   symbols
     * @param prices of the ticks
     * @param stepNs from tick to tick, of all symbols together
     */
    SteppedTicks(final TickData data, final double[] prices, final int stepNs)
    {
        ids = data.coded(strings);
        schema = new BatchSchema(Rules.TICK);
        this.prices = prices;
        this.stepNs = stepNs;
    }

    /** Of the batches. */
    BatchSchema schema()
    {
        return schema;
    }

    /** What their symbols are codes of. */
    Codes strings()
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

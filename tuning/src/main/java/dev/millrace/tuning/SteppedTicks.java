package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;

/** Ticks that are coded already, each a step of event time after the one before. */
final class SteppedTicks implements Events
{
    private final BatchSchema schema;
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
        final Dictionary dictionary = new Dictionary("symbols");
        ids = data.coded(dictionary);
        schema = BatchSchema.sharing(Rules.TICK, dictionary);
        this.prices = prices;
        this.stepNs = stepNs;
    }

    /** Of the batches. */
    BatchSchema schema()
    {
        return schema;
    }

    @Override
    public int count()
    {
        return ids.length;
    }

    @Override
    public long fill(final EventBatch batch, final int from, final int n, final long startNs)
    {
        System.arraycopy(ids, from, batch.ints(0), 0, n);
        System.arraycopy(prices, from, batch.doubles(1), 0, n);
        batch.size(n);
        return Events.stamp(batch, n, startNs, stepNs);
    }
}

package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.language.RuleText;
import java.util.List;

/**
 * Mean and sum by symbol of the ticks of the last second or minute, 100,000 ticks a second. Prices are multiples of
 * 1/64, so that sums are exact in every order.
 */
final class WindowWorkload implements Workload
{
    private static final int STEP_NS = 10_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private final int[] ids;
    private final double[] prices;
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final WindowLimit limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;

    /**
     * Makes the workload.
     *
     * @param seconds length of the window
     */
    WindowWorkload(final int seconds, final TickData data)
    {
        final Dictionary dictionary = new Dictionary("symbols");
        final int[] codes = new int[TickData.SYMBOLS];
        for (int i = 0; i < codes.length; i++)
        {
            codes[i] = dictionary.idOf(data.names[i]);
        }
        ids = new int[TickData.EVENTS];
        prices = new double[TickData.EVENTS];
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = codes[data.symbols[i]];
            prices[i] = Math.rint(data.prices[i] * 64) / 64;
        }
        final BatchSchema source = BatchSchema.sharing(Rules.TICK, dictionary);
        batch = new EventBatch(source);
        ready = Rules.start(List.of(RuleText.query("window", "IStream(select symbol, avg(lastPrice) as mean, " +
            "sum(lastPrice) as total from StockTickStream[range " + seconds + " seconds] group by symbol)")),
            source, null, engineTally);
        limit = new WindowLimit(seconds * SECOND_NS, Integer.highestOneBit(seconds * 100_000) << 1, TickData.SYMBOLS,
            ready.output(), limitTally);
    }

    @Override
    public int events()
    {
        return ids.length;
    }

    @Override
    public void runEngine()
    {
        for (int from = 0; from < ids.length; from += EventBatch.CAPACITY)
        {
            engineTimeNs = fill(from, engineTimeNs);
            ready.pipeline().onBatch(batch);
        }
    }

    @Override
    public void runLimit()
    {
        for (int from = 0; from < ids.length; from += EventBatch.CAPACITY)
        {
            limitTimeNs = fill(from, limitTimeNs);
            limit.onBatch(batch);
        }
    }

    private long fill(final int from, final long startNs)
    {
        final int n = Math.min(EventBatch.CAPACITY, ids.length - from);
        System.arraycopy(ids, from, batch.ints(0), 0, n);
        System.arraycopy(prices, from, batch.doubles(1), 0, n);
        final long[] times = batch.useTimestampPerRow();
        long timeNs = startNs;
        for (int i = 0; i < n; i++)
        {
            timeNs += STEP_NS;
            times[i] = timeNs;
        }
        batch.size(n);
        return timeNs;
    }

    @Override
    public Tally engineTally()
    {
        return engineTally;
    }

    @Override
    public Tally limitTally()
    {
        return limitTally;
    }

    @Override
    public String javaText()
    {
        return ready.javaText();
    }
}

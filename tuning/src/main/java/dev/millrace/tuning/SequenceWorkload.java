package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.language.RuleText;
import java.util.List;

/** A rise of two percent over an earlier tick of the same symbol within a second: each tick and the first that does. */
final class SequenceWorkload implements Workload
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final RuleText RISE = RuleText.query("rise", """
        select symbol, firstPrice, lastPrice
        from StockTickStream MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES
            B.symbol as symbol,
            A.lastPrice as firstPrice,
            B.lastPrice as lastPrice
          ALL MATCHES
          PATTERN (A C* B) WITHIN 1 SECOND
          DEFINE
            B AS B.lastPrice > A.lastPrice * 1.02,
            C AS C.lastPrice <= A.lastPrice * 1.02
        ) as T
        """);

    private final int stepNs;
    private final int[] ids;
    private final double[] prices;
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final SequenceLimit limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;

    /**
     * Makes the workload.
     *
     * @param ticksPerS ticks a second of event time, of all symbols together
     */
    SequenceWorkload(final int ticksPerS, final TickData data)
    {
        stepNs = (int)(SECOND_NS / ticksPerS);
        final Dictionary dictionary = new Dictionary("symbols");
        final int[] codes = new int[TickData.SYMBOLS];
        for (int i = 0; i < codes.length; i++)
        {
            codes[i] = dictionary.idOf(data.names[i]);
        }
        ids = new int[TickData.EVENTS];
        prices = data.prices;
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = codes[data.symbols[i]];
        }
        final BatchSchema source = BatchSchema.sharing(Rules.TICK, dictionary);
        batch = new EventBatch(source);
        ready = Rules.start(List.of(RISE), source, null, engineTally);
        limit = new SequenceLimit(SECOND_NS, TickData.SYMBOLS, ready.output(), limitTally);
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
            timeNs += stepNs;
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

package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import java.util.List;
import java.util.SplittableRandom;

/** Rows that go through as they are, or not at all: what a row costs when hardly anything is done with it. */
final class TradeWorkload implements Workload
{
    private static final int GREATEST_VOLUME = 10_000;

    private final int[] ids = new int[TickData.EVENTS];
    private final double[] prices;
    private final long[] volumes = new long[TickData.EVENTS];
    private final boolean putsOut;
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final EventBatchSink limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;
    private long inputTimeNs;

    private TradeWorkload(final Setting setting, final boolean putsOut)
    {
        this.putsOut = putsOut;
        final TickData data = setting.ticks();
        final Dictionary dictionary = new Dictionary("symbols");
        final SplittableRandom random = new SplittableRandom(setting.seed());
        for (int i = 0; i < ids.length; i++)
        {
            ids[i] = dictionary.idOf(data.names[data.symbols[i]]);
            volumes[i] = 1 + random.nextInt(GREATEST_VOLUME);
        }
        prices = data.prices;
        final BatchSchema source = BatchSchema.sharing(Rules.TRADE, dictionary);
        batch = new EventBatch(source);
        ready = Rules.start(List.of(putsOut ? Rules.PASS : Rules.FILTER), source, null, engineTally);
        limit = putsOut ? new PassLimit(ready.output(), limitTally) :
            new FilterLimit(Rules.TOO_HIGH, ready.output(), limitTally);
    }

    /** Everything goes through. */
    static Workload passThrough(final Setting setting)
    {
        return new TradeWorkload(setting, true);
    }

    /** Nothing does. */
    static Workload filter(final Setting setting)
    {
        return new TradeWorkload(setting, false);
    }

    @Override
    public int events()
    {
        return ids.length;
    }

    @Override
    public boolean putsOut()
    {
        return putsOut;
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
        try
        {
            for (int from = 0; from < ids.length; from += EventBatch.CAPACITY)
            {
                limitTimeNs = fill(from, limitTimeNs);
                limit.onBatch(batch);
            }
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("the loop refuses its rows", e);
        }
    }

    /** The copying of the events into a batch alone, which engine and limit both pay for. */
    @Override
    public List<Loop> others()
    {
        return List.of(new Loop("input", this::runInput, null, null));
    }

    private void runInput()
    {
        for (int from = 0; from < ids.length; from += EventBatch.CAPACITY)
        {
            inputTimeNs = fill(from, inputTimeNs);
        }
    }

    private long fill(final int from, final long timeNs)
    {
        final int n = Math.min(EventBatch.CAPACITY, ids.length - from);
        System.arraycopy(ids, from, batch.ints(0), 0, n);
        System.arraycopy(prices, from, batch.doubles(1), 0, n);
        System.arraycopy(volumes, from, batch.longs(2), 0, n);
        batch.baseTimestampNs(timeNs);
        batch.size(n);
        return timeNs + n;
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

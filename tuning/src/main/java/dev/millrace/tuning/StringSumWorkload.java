package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import java.util.List;

/**
 * The grouped sum of events whose group is a {@link String}: looking it up counts. As with the peers, events of one
 * group carry the same object, which its source has made once.
 */
final class StringSumWorkload implements Workload
{
    private final String[] groups = new String[TickData.EVENTS];
    private final long[] values;
    private final Dictionary dictionary = new Dictionary("groups");
    private final EventBatch batch;
    private final Rules.Ready ready;
    private final StringSumLimit limit;
    private final Tally engineTally = new Tally();
    private final Tally limitTally = new Tally();
    private long engineTimeNs;
    private long limitTimeNs;

    StringSumWorkload(final int count, final Setting setting)
    {
        final String[] names = SumData.names(count, dictionary);
        final SumData data = SumData.of(count, setting.seed());
        for (int i = 0; i < groups.length; i++)
        {
            groups[i] = names[data.groups()[i]];
        }
        values = data.values();
        final BatchSchema source = BatchSchema.sharing(Rules.SAMPLE, dictionary);
        batch = new EventBatch(source);
        ready = Rules.start(List.of(Rules.SUM), source, null, engineTally);
        limit = new StringSumLimit(names, ready.output(), limitTally);
    }

    @Override
    public int events()
    {
        return groups.length;
    }

    @Override
    public void runEngine()
    {
        for (int from = 0; from < groups.length; from += EventBatch.CAPACITY)
        {
            final int n = Math.min(EventBatch.CAPACITY, groups.length - from);
            dictionary.idsOf(groups, from, n, batch.ints(0));
            System.arraycopy(values, from, batch.longs(1), 0, n);
            batch.baseTimestampNs(engineTimeNs);
            batch.size(n);
            ready.pipeline().onBatch(batch);
            engineTimeNs += n;
        }
    }

    @Override
    public void runLimit()
    {
        for (int from = 0; from < groups.length; from += EventBatch.CAPACITY)
        {
            final int n = Math.min(EventBatch.CAPACITY, groups.length - from);
            limit.take(groups, values, from, n, limitTimeNs);
            limitTimeNs += n;
        }
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

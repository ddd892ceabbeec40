package dev.millrace.tuning;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/** What the hand-written grouped sums put out: the old row of a group that was shown, the new one of one that is. */
final class SumOutput
{
    private final EventBatch out;
    private final Tally tally;
    private int rows;

    SumOutput(final BatchSchema output, final Tally tally)
    {
        this.tally = tally;
        out = new EventBatch(output);
    }

    void change(final int id, final long before, final long after, final long timeNs)
    {
        if (before >= Rules.LEAST_SUM)
        {
            put(id, before, timeNs, EventBatch.DELETE);
        }
        if (after >= Rules.LEAST_SUM)
        {
            put(id, after, timeNs, EventBatch.INSERT);
        }
    }

    private void put(final int id, final long sum, final long timeNs, final byte kind)
    {
        out.ints(0)[rows] = id;
        out.longs(1)[rows] = sum;
        out.useTimestampPerRow()[rows] = timeNs;
        out.useKinds()[rows] = kind;
        rows++;
        if (rows == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    void flush()
    {
        if (rows > 0)
        {
            out.size(rows);
            tally.onBatch(out);
            out.clear();
            rows = 0;
        }
    }
}

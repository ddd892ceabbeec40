package dev.millrace.tuning.harness;

import dev.millrace.api.event.EventBatch;

/** The events of a workload as columns, which are copied into batches as an adapter fills them. */
public interface Events
{
    /** Number of events. */
    public int count();

    /**
     * Writes events into a batch, replacing its content.
     *
     * @param batch   of the schema of these events
     * @param from    index of the first event
     * @param n       number of events, at most a full batch
     * @param startNs time of the preceding event
     * @return time of the last event
     */
    public long fill(EventBatch batch, int from, int n, long startNs);

    /** Gives each row a different time, one step after the previous one; returns the last one. */
    static long stamp(final EventBatch batch, final int n, final long startNs, final int stepNs)
    {
        final long[] times = batch.useTimestampPerRow();
        long timeNs = startNs;
        for (int i = 0; i < n; i++)
        {
            timeNs += stepNs;
            times[i] = timeNs;
        }
        return timeNs;
    }
}

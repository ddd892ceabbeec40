package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;

/** The events of a workload as columns, which are copied into batches as an adapter fills them. */
interface Events
{
    /** How many there are. */
    int count();

    /**
     * Writes events into a batch, which then has these and no others.
     *
     * @param batch   of the schema that these events have
     * @param from    index of the first event
     * @param n       how many, at most a full batch
     * @param startNs the time after which they come
     * @return the time after which the next ones come
     */
    long fill(EventBatch batch, int from, int n, long startNs);

    /** Gives each row a time of its own, a step after the one before; gives the last one. */
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

package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;

/**
 * One of those who get the events of a workload: the engine, or a loop by hand. A pass gives it all of them in full
 * batches; event time goes on from pass to pass. For one thread.
 */
final class Passes
{
    private final Events events;
    private final EventBatch batch;
    private final EventBatchSink sink;
    private final Tally tally;
    private long timeNs;

    /**
     * Makes one.
     *
     * @param events to give
     * @param batch  to give them in; several may share it
     * @param sink   takes them
     * @param tally  counts what the sink puts out; {@code null} when that is nothing
     */
    Passes(final Events events, final EventBatch batch, final EventBatchSink sink, final Tally tally)
    {
        this.events = events;
        this.batch = batch;
        this.sink = sink;
        this.tally = tally;
    }

    /** One pass. */
    void run()
    {
        final int count = events.count();
        long now = timeNs;
        try
        {
            for (int from = 0; from < count; from += EventBatch.CAPACITY)
            {
                now = events.fill(batch, from, Math.min(EventBatch.CAPACITY, count - from), now);
                sink.onBatch(batch);
            }
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("events of the benchmark were refused", e);
        }
        timeNs = now;
    }

    /** How many events a pass has. */
    int events()
    {
        return events.count();
    }

    EventBatchSink sink()
    {
        return sink;
    }

    Tally tally()
    {
        return tally;
    }

    /** Event time that has been reached. */
    long timeNs()
    {
        return timeNs;
    }
}

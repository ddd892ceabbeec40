package dev.millrace.tuning.harness;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;

/**
 * One contender of a workload: the engine, or a hand-written loop. A pass sends it all events in full batches; event
 * time increases from pass to pass. Not thread-safe.
 */
public final class BatchFeeder
{
    private final Events events;
    private final EventBatch batch;
    private final EventBatchSink sink;
    private final ResultChecksum tally;
    private long timeNs;

    /**
     * @param events to send
     * @param batch  to fill; several contenders may share it
     * @param sink   receives the batches
     * @param tally  checksum of the sink's output; {@code null} when it emits nothing
     */
    public BatchFeeder(final Events events, final EventBatch batch, final EventBatchSink sink,
        final ResultChecksum tally)
    {
        this.events = events;
        this.batch = batch;
        this.sink = sink;
        this.tally = tally;
    }

    /** One pass. */
    public void run()
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

    /** Events per pass. */
    int events()
    {
        return events.count();
    }

    public EventBatchSink sink()
    {
        return sink;
    }

    ResultChecksum tally()
    {
        return tally;
    }

    /** Event time that has been reached. */
    public long timeNs()
    {
        return timeNs;
    }
}

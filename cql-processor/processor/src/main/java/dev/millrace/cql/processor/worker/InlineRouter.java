package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.relation.Counter;

/** Run to completion: the source's thread runs the pipelines itself, without a hand-over. */
final class InlineRouter implements RowRouter
{
    private final IndexedInstances instances;
    private final BatchLog recorder;
    private final Counter taken = new Counter();
    private final Counter done = new Counter();

    /**
     * @param instances in the order in which they process a batch
     * @param recorder  appends what they process to a journal; {@code null} unless the application is durable
     */
    InlineRouter(final PipelineInstance[] instances, final BatchLog recorder)
    {
        this.recorder = recorder;
        this.instances = new IndexedInstances(instances);
    }

    @Override
    public void send(final EventBatch batch)
    {
        taken.add(1);
        final EventBatch rows = recorder == null ? batch : recorder.append(batch, null, batch.size());
        if (rows != null)
        {
            final long[] sequences = rows.replaceSequences(null);
            instances.onBatch(rows);
            rows.replaceSequences(sequences);
        }
        done.add(1);
    }

    @Override
    public long[] taken()
    {
        return new long[] {taken.get()};
    }

    @Override
    public void close()
    {
        instances.close();
    }

    @Override
    public boolean isDone(final long[] before)
    {
        return done.get() >= before[0];
    }
}

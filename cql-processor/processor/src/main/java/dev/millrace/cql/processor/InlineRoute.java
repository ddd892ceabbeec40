package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;

/** Run to completion: the source's thread runs the pipelines itself, without any hand-over. */
final class InlineRoute implements RowRoute
{
    private final PipelineInstance[] instances;
    private final Counter taken = new Counter();
    private final Counter done = new Counter();

    InlineRoute(final PipelineInstance[] instances)
    {
        this.instances = instances;
    }

    @Override
    public void send(final EventBatch batch)
    {
        taken.add(1);
        for (final PipelineInstance instance : instances)
        {
            instance.onBatch(batch);
        }
        done.add(1);
    }

    @Override
    public long[] taken()
    {
        return new long[] {taken.get()};
    }

    @Override
    public boolean isDone(final long[] before)
    {
        return done.get() >= before[0];
    }
}

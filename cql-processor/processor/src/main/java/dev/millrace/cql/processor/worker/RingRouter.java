package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;

/** A route through rings to workers. */
abstract class RingRouter implements RowRouter
{
    private final WorkerInput[] inputs;

    RingRouter(final WorkerInput[] inputs)
    {
        this.inputs = inputs;
    }

    @Override
    public final void send(final EventBatch batch)
    {
        if (batch.size() > 0)
        {
            sendRows(batch);
            return;
        }
        for (final WorkerInput input : inputs)
        {
            input.send(batch);
        }
    }

    /**
     * Sends rows.
     *
     * @param batch with at least one row
     */
    abstract void sendRows(EventBatch batch);

    /** Sends the selected rows of a batch to a worker; the batch itself when these are all of them. */
    final void send(final int worker, final EventBatch batch, final int[] selection, final int count)
    {
        if (count == batch.size())
        {
            inputs[worker].send(batch);
        }
        else if (count > 0)
        {
            inputs[worker].send(batch, selection, count);
        }
    }

    final WorkerInput input(final int index)
    {
        return inputs[index];
    }

    final int inputCount()
    {
        return inputs.length;
    }

    @Override
    public final long[] taken()
    {
        final long[] figures = new long[inputs.length];
        for (int i = 0; i < figures.length; i++)
        {
            figures[i] = inputs[i].taken();
        }
        return figures;
    }

    @Override
    public final boolean isDone(final long[] before)
    {
        for (int i = 0; i < before.length; i++)
        {
            if (inputs[i].done() < before[i])
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public final void close()
    {
        for (final WorkerInput input : inputs)
        {
            input.leave();
        }
    }
}

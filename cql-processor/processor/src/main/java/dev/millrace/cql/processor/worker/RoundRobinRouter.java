package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;

/** ORDERED with a single worker; UNORDERED with all workers in turn, one batch each. */
final class RoundRobinRouter extends RingRouter
{
    private final boolean timeDriven;
    private int next;

    /**
     * @param inputs     one per worker
     * @param timeDriven whether workers without rows must receive the time
     */
    RoundRobinRouter(final WorkerInput[] inputs, final boolean timeDriven)
    {
        super(inputs);
        this.timeDriven = timeDriven;
    }

    @Override
    void sendRows(final EventBatch batch)
    {
        input(next).send(batch);
        if (timeDriven)
        {
            final long timeNs = batch.timestampNs(batch.size() - 1);
            for (int i = 0; i < inputCount(); i++)
            {
                if (i != next)
                {
                    input(i).sendTime(timeNs);
                }
            }
        }
        next = next + 1 == inputCount() ? 0 : next + 1;
    }
}

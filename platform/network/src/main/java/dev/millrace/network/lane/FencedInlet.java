package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.spi.OutputPermit;

/** Precedes a stage at the end of the network: rejects rows while the permit does not allow output. Heartbeats pass. */
public final class FencedInlet implements Inlet
{
    private final OutputPermit permit;
    private final Inlet next;
    private final Rejections rejections;

    /**
     * @param permit checked once per batch
     * @param meter  statistics of the stage
     */
    public FencedInlet(final OutputPermit permit, final Inlet next, final StageMeter meter)
    {
        this.permit = permit;
        this.next = next;
        rejections = meter.rejections();
    }

    @Override
    public void accept(final EventBatch batch)
    {
        if (batch.size() == 0 || permit.mayPutOut())
        {
            next.accept(batch);
        }
        else
        {
            rejections.count(batch.size(), RejectReason.FENCED, "this instance is fenced; other members are not "
                + "affected",
                null);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next.receivedFrom(producer);
    }
}

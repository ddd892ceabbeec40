package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.spi.OutputPermit;

/** In front of a stage at the end of the network: rejects rows while they may not leave it. Heartbeats pass. */
public final class PermittedInlet implements Inlet
{
    private final OutputPermit permit;
    private final Inlet next;
    private final Rejections rejections;

    /**
     * Makes an inlet.
     *
     * @param permit asked once a batch
     * @param next   the stage
     * @param meter  its figures
     */
    public PermittedInlet(final OutputPermit permit, final Inlet next, final StageMeter meter)
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
            rejections.count(batch.size(), RejectReason.FENCED, "the others of the cluster go on without this instance",
                null);
        }
    }
}

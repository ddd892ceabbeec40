package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import java.util.ArrayList;
import java.util.List;

/** The lanes that begin at one source, one for each of its threads. Thread-safe. */
public final class SourceLanes
{
    private final String qualifiedName;
    private final BatchSchema schema;
    private final StageMeter meter;
    private final List<SourceLane> lanes = new ArrayList<>();
    private boolean sealed;
    private int given;
    private int held;
    private boolean exceeded;
    private volatile String closedReason = RejectReason.NOT_STARTED;

    /**
     * @param qualifiedName {@code application/stage}, for messages
     * @param schema        schema of the rows
     * @param meter         statistics of the source
     */
    public SourceLanes(final String qualifiedName, final BatchSchema schema, final StageMeter meter)
    {
        this.qualifiedName = qualifiedName;
        this.schema = schema;
        this.meter = meter;
    }

    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * Opens a lane for another thread.
     *
     * @return lane, closed until the network starts
     * @throws IllegalStateException when the network is already wired
     */
    public synchronized SourceLane open()
    {
        if (given < lanes.size())
        {
            return lanes.get(given++);
        }
        if (sealed)
        {
            exceeded = true;
            throw new IllegalStateException("a further sender must be requested before the network is wired, in" +
                " setBatchSender or afterConfigurationActive, stage=" + qualifiedName);
        }
        final SourceLane lane = new SourceLane(schema, meter, this::rejectClosed, this::open);
        lanes.add(lane);
        given++;
        return lane;
    }

    /** Restarts {@link #open} from the first existing lane, because the source is activated again. */
    public synchronized void rewind()
    {
        given = 0;
    }

    /** Ends the opening of lanes; returns all lanes. */
    public synchronized List<SourceLane> seal()
    {
        sealed = true;
        return List.copyOf(lanes);
    }

    /** Allows the source to send. */
    public synchronized void openAll()
    {
        lanes.forEach(lane -> lane.claim().open());
    }

    /**
     * Keeps the source from sending and waits for batches in progress.
     *
     * @param reason   for rows that are sent from now on
     * @param deadline how long to wait
     * @return whether all batches are done
     */
    public synchronized boolean closeAll(final String reason, final Deadline deadline)
    {
        closedReason = reason;
        lanes.forEach(lane -> lane.claim().close());
        boolean free = true;
        for (final SourceLane lane : lanes)
        {
            free &= lane.claim().awaitFree(deadline);
        }
        return free;
    }

    /**
     * Blocks the source wherever it sends, after batches in progress are done. {@link #letGo} must be called in any
     * case.
     *
     * @param deadline how long to wait for those batches
     * @return false when one was not done in time
     */
    public synchronized boolean hold(final Deadline deadline)
    {
        while (held < lanes.size() && lanes.get(held).claim().hold(deadline))
        {
            held++;
        }
        return held == lanes.size();
    }

    /** Lets the source continue after {@link #hold}. */
    public synchronized void letGo()
    {
        lanes.subList(0, held).forEach(lane -> lane.claim().leave());
        held = 0;
    }

    /** Whether a source requested more lanes than the network was wired with and was refused. */
    public synchronized boolean isExceeded()
    {
        return exceeded;
    }

    private void rejectClosed(final int rows)
    {
        meter.rejections().count(
            rows, closedReason, "the network does not accept events now, stage=" + qualifiedName, null);
    }
}

package dev.millrace.network.lane;

import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The statistics of one stage: counters of its lanes, summed on reading, and its rejections. Thread-safe. */
public final class StageMeter
{
    private final List<LaneCounters> in = new CopyOnWriteArrayList<>();
    private final List<LaneCounters> out = new CopyOnWriteArrayList<>();
    private final Rejections rejections;
    /** Rows and batches of closed lanes: in, out. Guarded by this. */
    private final long[] goneRows = new long[2];
    private final long[] goneBatches = new long[2];

    /**
     * @param qualifiedName {@code application/stage}
     * @param clock         limits the rate of log lines about rejections
     */
    public StageMeter(final String qualifiedName, final Clock clock)
    {
        rejections = new Rejections(qualifiedName, clock);
    }

    /** Opens counters for a lane that enters the stage; not shared with other lanes. */
    public LaneCounters openIn()
    {
        final LaneCounters counters = new LaneCounters();
        in.add(counters);
        return counters;
    }

    /** Opens counters for a lane that leaves the stage; not shared with other lanes. */
    public LaneCounters openOut()
    {
        final LaneCounters counters = new LaneCounters();
        out.add(counters);
        return counters;
    }

    /** Closes the counters of a lane that entered or left the stage; its rows stay in the sums. */
    public synchronized void close(final LaneCounters counters)
    {
        final int direction = in.remove(counters) ? 0 : 1;
        if (direction == 0 || out.remove(counters))
        {
            goneRows[direction] += counters.rowCount();
            goneBatches[direction] += counters.batchCount();
        }
    }

    /** Closes the counters of all lanes that enter the stage, as {@link #close} does. */
    public synchronized void closeIn()
    {
        List.copyOf(in).forEach(this::close);
    }

    public Rejections rejections()
    {
        return rejections;
    }

    /** Current statistics: rowsIn, rowsOut, batchesIn, batchesOut, rowsRejected, rejectedBy. */
    public synchronized Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", goneRows[0] + in.stream().mapToLong(LaneCounters::rowCount).sum());
        figures.put("rowsOut", goneRows[1] + out.stream().mapToLong(LaneCounters::rowCount).sum());
        figures.put("batchesIn", goneBatches[0] + in.stream().mapToLong(LaneCounters::batchCount).sum());
        figures.put("batchesOut", goneBatches[1] + out.stream().mapToLong(LaneCounters::batchCount).sum());
        figures.put("rowsRejected", rejections.total());
        figures.put("rejectedBy", rejections.byReason());
        return figures;
    }
}

package dev.millrace.network.lane;

import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The figures of one stage: counters of its lanes, summed on reading, and its rejections. Safe for all threads. */
public final class StageMeter
{
    private final List<LaneCounters> in = new CopyOnWriteArrayList<>();
    private final List<LaneCounters> out = new CopyOnWriteArrayList<>();
    private final Rejections rejections;

    /**
     * Makes the figures of a stage.
     *
     * @param qualifiedName {@code application/stage}
     * @param clock         paces the log of rejections
     */
    public StageMeter(final String qualifiedName, final Clock clock)
    {
        rejections = new Rejections(qualifiedName, clock);
    }

    /**
     * Opens counters for a lane that enters the stage.
     *
     * @return counters for that lane alone
     */
    public LaneCounters openIn()
    {
        final LaneCounters counters = new LaneCounters();
        in.add(counters);
        return counters;
    }

    /**
     * Opens counters for a lane that leaves the stage.
     *
     * @return counters for that lane alone
     */
    public LaneCounters openOut()
    {
        final LaneCounters counters = new LaneCounters();
        out.add(counters);
        return counters;
    }

    /**
     * What the stage turned away.
     *
     * @return rejections
     */
    public Rejections rejections()
    {
        return rejections;
    }

    /**
     * The figures now.
     *
     * @return rowsIn, rowsOut, batchesIn, batchesOut, rowsRejected, rejectedBy
     */
    public Map<String, Object> figures()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rowsIn", in.stream().mapToLong(LaneCounters::rowCount).sum());
        figures.put("rowsOut", out.stream().mapToLong(LaneCounters::rowCount).sum());
        figures.put("batchesIn", in.stream().mapToLong(LaneCounters::batchCount).sum());
        figures.put("batchesOut", out.stream().mapToLong(LaneCounters::batchCount).sum());
        figures.put("rowsRejected", rejections.total());
        figures.put("rejectedBy", rejections.byReason());
        return figures;
    }
}

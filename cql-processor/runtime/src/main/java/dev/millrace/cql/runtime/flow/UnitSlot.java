package dev.millrace.cql.runtime.flow;

import java.util.List;

/**
 * A unit in its engine: which sources feed it, and how far it has come.
 *
 * <p>Threads: the engine's.
 */
public final class UnitSlot
{
    private final FlowUnit unit;
    private final FlowSource[] sources;
    private final QueryOutput[] outputs;
    private long closedNs = FlowOperator.BEGINNING;

    /**
     * Makes a slot.
     *
     * @param unit    what runs
     * @param sources what feeds it, by the number of the way in
     */
    public UnitSlot(final FlowUnit unit, final List<FlowSource> sources)
    {
        this.unit = unit;
        this.sources = sources.toArray(new FlowSource[0]);
        outputs = unit.outputs().toArray(new QueryOutput[0]);
    }

    FlowUnit unit()
    {
        return unit;
    }

    /** Gives it the rows that its source has accepted of a batch. */
    void rows(final FlowSource from, final AcceptedRows accepted)
    {
        for (int input = 0; input < sources.length; input++)
        {
            if (sources[input] == from)
            {
                unit.rows(input, accepted.batch(), accepted.timesNs(), accepted.rows(), accepted.count(),
                    accepted.closesNs());
            }
        }
    }

    /** Forgets what it knows of partitions of a source. */
    void forget(final FlowSource from, final PartitionTest partitions)
    {
        for (int input = 0; input < sources.length; input++)
        {
            if (sources[input] == from)
            {
                unit.forget(input, partitions);
            }
        }
    }

    void advance()
    {
        closedNs = Math.max(closedNs, TimeBound.closedNs(sources));
        unit.advance(closedNs);
    }

    void finish()
    {
        advance();
        unit.finish(closedNs);
    }

    /** Gives what has gathered to the sinks. */
    void flush(final boolean withTime)
    {
        QueryOutput.flush(outputs, withTime ? closedNs : FlowOperator.BEGINNING);
    }
}

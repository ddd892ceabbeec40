package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    private final List<InnerChannel> inner = new ArrayList<>();
    private long closedNs = FlowTime.BEGINNING;

    /**
     * Makes a slot of a unit that feeds nobody.
     *
     * @param unit    what runs
     * @param sources what feeds it, by the number of the way in
     */
    public UnitSlot(final FlowUnit unit, final List<FlowSource> sources)
    {
        this(unit, sources, Map.of());
    }

    /**
     * Makes a slot.
     *
     * @param unit    what runs
     * @param sources what feeds it, by the number of the way in
     * @param inner   ways to other parts, by the id of what they carry
     */
    public UnitSlot(final FlowUnit unit, final List<FlowSource> sources, final Map<String, InnerChannel> inner)
    {
        this.unit = unit;
        this.sources = sources.toArray(new FlowSource[0]);
        final List<QueryOutput> queries = new ArrayList<>();
        for (final QueryOutput output : unit.outputs())
        {
            final InnerChannel way = inner.get(output.queryId());
            if (way == null)
            {
                queries.add(output);
            }
            else
            {
                way.output(output);
                way.source().feeder(unit);
                this.inner.add(way);
            }
        }
        outputs = queries.toArray(new QueryOutput[0]);
    }

    /**
     * Takes the rows of another part.
     *
     * @param channel one of its sources belongs to
     */
    public void reads(final InnerChannel channel)
    {
        channel.add(this);
    }

    /** Begins: takes note of rows that are turned away, and takes over state where there is some. */
    void open(final RowFaults faults, final StateInput from)
    {
        if (from == null)
        {
            unit.open(faults);
            return;
        }
        unit.open(faults, from);
        closedNs = from.readLong();
    }

    /** Writes what it knows. */
    void write(final StateOutput to)
    {
        unit.write(to);
        to.writeLong(closedNs);
    }

    FlowUnit unit()
    {
        return unit;
    }

    /** The queries that it computes. */
    List<QueryOutput> outputs()
    {
        return List.of(outputs);
    }

    /** The ways to other units; their outputs are none of {@link #outputs()}. */
    List<InnerChannel> inner()
    {
        return inner;
    }

    /** How far it has come: no row of this time or before will come out of it any more. */
    long closedNs()
    {
        return unit.completeNs(closedNs);
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
                unit.forget(input, partitions, FlowTime.BEGINNING);
            }
            else if (sources[input].isFedBy(from))
            {
                // Else a partition that comes back in the same instant would find what is to be forgotten.
                unit.forget(input, partitions, closedNs < from.lastNs() && sources[input].mayBringForgotten() ?
                    from.lastNs() : FlowTime.BEGINNING);
            }
        }
    }

    /** Drops what it knows of partitions of a source, as {@link PartitionedState#discard} says. */
    void discard(final FlowSource from, final PartitionTest partitions)
    {
        for (int input = 0; input < sources.length; input++)
        {
            if (sources[input] == from)
            {
                unit.discard(input, partitions);
            }
            else if (sources[input].isFedBy(from))
            {
                throw new StateException("rows between a pattern and a unit cannot be told apart by partition");
            }
        }
    }

    /** Goes through what is due. */
    void advance()
    {
        closedNs = Math.max(closedNs, TimeBound.closedNs(sources));
        unit.advance(closedNs);
    }

    /** Lets everything out that is decided: nothing more will come. */
    void finish()
    {
        advance();
        unit.finish(closedNs);
    }

    /** Gives what has gathered to the sinks of queries, and the time when it has moved without rows. */
    void flush(final boolean withTime)
    {
        QueryOutput.flush(outputs, withTime ? closedNs : FlowTime.BEGINNING);
    }
}

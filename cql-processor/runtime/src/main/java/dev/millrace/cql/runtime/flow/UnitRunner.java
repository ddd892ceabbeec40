package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.row.RowFaultHandler;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A unit in its engine: the sources that feed it, and its progress.
 *
 * <p>Confined to the engine thread.
 */
public final class UnitRunner
{
    private final FlowUnit unit;
    private final FlowSource[] sources;
    private final QueryOutput[] outputs;
    private final List<InternalChannel> inner = new ArrayList<>();
    private long closedNs = FlowTime.BEGINNING;

    /**
     * @param unit    the unit to run
     * @param sources by index of the input
     * @param inner   channels to other units, by the id of the query whose rows they carry
     */
    public UnitRunner(final FlowUnit unit, final List<FlowSource> sources, final Map<String, InternalChannel> inner)
    {
        this.unit = unit;
        this.sources = sources.toArray(new FlowSource[0]);
        final List<QueryOutput> queries = new ArrayList<>();
        for (final QueryOutput output : unit.outputs())
        {
            final InternalChannel way = inner.get(output.queryId());
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
     * Connects the unit to the output of another one.
     *
     * @param channel that one of its sources belongs to
     */
    public void reads(final InternalChannel channel)
    {
        channel.add(accepted -> rows(channel.source(), accepted));
    }

    /** Opens the unit and restores its state, if there is some. */
    void open(final RowFaultHandler faults, final StateInput from)
    {
        if (from == null)
        {
            unit.open(faults);
            return;
        }
        unit.open(faults, from);
        closedNs = from.readLong();
    }

    /** Writes its state. */
    void write(final StateOutput to)
    {
        unit.write(to);
        to.writeLong(closedNs);
    }

    FlowUnit unit()
    {
        return unit;
    }

    /** The outputs of the queries that it computes. */
    List<QueryOutput> outputs()
    {
        return List.of(outputs);
    }

    /** The channels to other units; their outputs are not among {@link #outputs()}. */
    List<InternalChannel> inner()
    {
        return inner;
    }

    /** Its progress: no row of this time or before will be emitted. */
    long closedNs()
    {
        return unit.completeNs(closedNs);
    }

    /** Passes it the rows of a batch that its source has accepted. */
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

    /** Discards its state of partitions of a source. */
    void forget(final FlowSource from, final PartitionPredicate partitions)
    {
        for (int input = 0; input < sources.length; input++)
        {
            if (sources[input] == from)
            {
                unit.forget(input, partitions, FlowTime.BEGINNING);
            }
            else if (sources[input].isFedBy(from))
            {
                // Otherwise a partition that returns in the same instant would find state that must be discarded.
                unit.forget(input, partitions, closedNs < from.lastNs() && sources[input].mayBringForgotten() ?
                    from.lastNs() : FlowTime.BEGINNING);
            }
        }
    }

    /** Discards its state of partitions of a source at once, see {@link PartitionedState#discard}. */
    void discard(final FlowSource from, final PartitionPredicate partitions)
    {
        for (int input = 0; input < sources.length; input++)
        {
            if (sources[input] == from)
            {
                unit.discard(input, partitions);
            }
            else if (sources[input].isFedBy(from))
            {
                throw new StateException("rows between a pattern and a unit cannot be separated by partition");
            }
        }
    }

    /** Processes everything that is due. */
    void advance()
    {
        closedNs = Math.max(closedNs, InputWatermark.closedNs(sources));
        unit.advance(closedNs);
    }

    /** Emits everything that is decided: no further rows will arrive. */
    void finish()
    {
        advance();
        unit.finish(closedNs);
    }

    /** Passes the collected rows to the sinks of queries, and a heartbeat when time has moved without rows. */
    void flush(final boolean withTime)
    {
        QueryOutput.flush(outputs, withTime ? closedNs : FlowTime.BEGINNING);
    }
}

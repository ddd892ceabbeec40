package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.List;

/**
 * A part of an engine with a clock of its own: a unit, or the region of a pattern. It may feed other parts, which come
 * after it.
 *
 * <p>Threads: the engine's.
 */
public interface FlowPart
{
    /** Begins: takes note of rows that are turned away, and takes over state where there is some. */
    void open(RowFaults faults, StateInput from);

    /** Writes what it knows. */
    void write(StateOutput to);

    /** Goes through what is due. */
    void advance();

    /** Lets everything out that is decided: nothing more will come. */
    void finish();

    /** Forgets what it knows of partitions of a source. */
    void forget(FlowSource from, PartitionTest partitions);

    /** Drops what it knows of partitions of a source, as {@link PartitionedState#discard} says. */
    void discard(FlowSource from, PartitionTest partitions);

    /** How far it has come: no row of this time or before will come out of it any more. */
    long closedNs();

    /** The ways to other parts; their outputs are none of {@link #outputs()}. */
    List<InnerChannel> inner();

    /** The queries that it computes. */
    List<QueryOutput> outputs();

    /** Gives what has gathered to the sinks of queries, and the time when it has moved without rows. */
    void flush(boolean withTime);
}

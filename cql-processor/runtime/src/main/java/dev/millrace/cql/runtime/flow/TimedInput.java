package dev.millrace.cql.runtime.flow;

/** Where rows with times come into a region. Threads: the engine's. */
interface TimedInput
{
    /** Time of the next row; {@link FlowOperator#NEVER} when none waits. */
    long nextNs();

    /** No row of this time or before will come any more. */
    long closedNs();

    /** Whether others do not wait for it. */
    boolean isSilent();

    /** Puts the rows of times up to this one into the delta, all as of this instant. */
    void load(long nowNs);
}

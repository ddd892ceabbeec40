package dev.millrace.cql.runtime.flow;

/** Where rows with times come into a region. Threads: the engine's. */
interface TimedInput extends TimeBound
{
    /** Time of the next row; {@link FlowOperator#NEVER} when none waits. */
    long nextNs();

    /** Puts the rows of times up to this one into the delta, all as of this instant. */
    void load(long nowNs);
}

package dev.millrace.cql.runtime.flow;

/** Instants that no row has. */
public final class FlowTime
{
    /** No time at all. */
    public static final long NEVER = Long.MAX_VALUE;
    /** The beginning of time. */
    public static final long BEGINNING = Long.MIN_VALUE;

    private FlowTime()
    {
    }
}

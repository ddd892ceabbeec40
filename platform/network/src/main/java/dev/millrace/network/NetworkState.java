package dev.millrace.network;

/** The life-cycle state of a network. */
public enum NetworkState
{
    /** Built and wired; sources do not run yet. */
    READY,
    /** Events flow. */
    RUNNING,
    /**
     * Events flow, but a stage, a store or a limit keeps the network from doing all of its work; see its conditions.
     */
    DEGRADED,
    /** Sources are paused; rows that they send nevertheless are rejected. */
    SUSPENDED,
    /** No source works any more, or a stage could not be paused; the other stages continue. */
    FAILED,
    /** Stopped permanently. */
    STOPPED
}

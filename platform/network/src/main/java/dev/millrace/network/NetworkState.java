package dev.millrace.network;

/** Where a network stands in its life. */
public enum NetworkState
{
    /** Built and wired; sources do not run yet. */
    READY,
    /** Events flow. */
    RUNNING,
    /** Events flow, but a stage, a store or a bound keeps the network from doing all its work; see its conditions. */
    DEGRADED,
    /** Sources are paused; what they send nevertheless is rejected. */
    SUSPENDED,
    /** No source works any more, or a stage could not be paused; the other stages go on. */
    FAILED,
    /** Ended for good. */
    STOPPED
}

package dev.millrace.network;

/** Where a network stands in its life. */
public enum NetworkState
{
    /** Built and wired; sources do not run yet. */
    READY,
    /** Events flow. */
    RUNNING,
    /** Sources are paused; what they send nevertheless is rejected. */
    SUSPENDED,
    /** A source ended with an exception or a stage could not be paused or resumed; the other stages go on. */
    FAILED,
    /** Ended for good. */
    STOPPED
}

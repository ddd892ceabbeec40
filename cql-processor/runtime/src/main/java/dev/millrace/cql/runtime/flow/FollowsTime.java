package dev.millrace.cql.runtime.flow;

/** An operator that cares how far time has come, also where no instant is gone through. Threads: the engine's. */
public interface FollowsTime
{
    /**
     * Learns how far time has come, after the instants up to there.
     *
     * @param closedNs no row of this time or before will come any more
     */
    void progress(long closedNs);
}

package dev.millrace.network.channel;

/** A lane or queue that needs a heartbeat when it is idle. Called by the heartbeat thread. */
public interface IdleTarget
{
    /** Idle time in nanoseconds after which a heartbeat is due, greater than 0. */
    long heartbeatNs();

    /**
     * Sends a heartbeat when nothing has passed for {@link #heartbeatNs()}. Does nothing while a source is inside.
     *
     * @param nowNs time of the network's clock
     */
    void beatIfSilent(long nowNs);
}

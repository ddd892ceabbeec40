package dev.millrace.network.channel;

/** Something that wants a heartbeat after some silence. Asked by the heartbeat thread. */
public interface SilenceWatch
{
    /**
     * The silence after which a heartbeat is due.
     *
     * @return nanoseconds, greater than 0
     */
    long heartbeatNs();

    /**
     * Puts a heartbeat in when nothing has passed for {@link #heartbeatNs()}. Does nothing when a source is inside.
     *
     * @param nowNs time of the network's clock
     */
    void beatIfSilent(long nowNs);
}

package dev.millrace.api.http;

/**
 * Limits of a server of channels. Immutable.
 *
 * @param clients             maximum number of connected clients
 * @param subscriptions       maximum number of subscriptions per client
 * @param messageBytes        maximum size of a message from a client
 * @param queueBytes          maximum size of the messages that wait for a client
 * @param retainedBytes       size of the last messages per channel that a client can request again
 * @param isSlowDisconnected  whether a client whose queue is full is disconnected; otherwise it loses its oldest
 *                            messages
 * @param clientTimeoutMillis time after which a client is dropped that neither reads nor connects again
 * @param pollMillis          maximum time for which a poll waits for messages
 */
public record ChannelLimits(int clients, int subscriptions, int messageBytes, int queueBytes, int retainedBytes,
    boolean isSlowDisconnected, int clientTimeoutMillis, int pollMillis)
{
    /** The limits unless {@code config.xml} specifies others. */
    public static final ChannelLimits STANDARD =
        new ChannelLimits(1_000, 100, 65_536, 1 << 20, 256 << 10, true, 60_000, 30_000);
}

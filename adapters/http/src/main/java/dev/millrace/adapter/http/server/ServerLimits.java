package dev.millrace.adapter.http.server;

import java.util.concurrent.TimeUnit;

/**
 * Limits of a server for events. Immutable.
 *
 * @param connections    maximum number; one more closes the connection that has waited longest for a request
 * @param headTimeoutNs  from connecting to the end of the head of the first request, including the TLS handshake
 * @param idleTimeoutNs  from a response to the end of the head of the next request
 * @param writeTimeoutMs how long a response may wait for its reader
 */
public record ServerLimits(int connections, long headTimeoutNs, long idleTimeoutNs, long writeTimeoutMs)
{
    /** Maximum size of the head of a request. */
    static final int MAX_HEAD_BYTES = 16 << 10;

    private static final int CONNECTIONS = 4_096;
    private static final int MIN_CONNECTIONS = 16;

    /** The default limits: fewer connections for a process with a low limit of file handles. */
    public static ServerLimits standard(final long fileHandles)
    {
        return new ServerLimits((int)Math.min(CONNECTIONS, Math.max(MIN_CONNECTIONS, fileHandles / 4)),
            TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toMillis(30));
    }
}

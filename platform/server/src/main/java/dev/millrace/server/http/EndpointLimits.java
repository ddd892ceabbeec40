package dev.millrace.server.http;

import java.util.concurrent.TimeUnit;

/**
 * What the endpoint bears. Immutable.
 *
 * @param connections         connections at a time; one more closes the oldest that has shown no credentials
 * @param unknownPerPeer      connections without credentials from one address, from 1; one more closes the oldest
 * @param headTimeoutNs       from connecting, or from the last answer, to the end of a request's head
 * @param bodyGraceNs         time from the head before a body has to keep up with its least rate
 * @param bodyRateBytesPerSec least rate of a body, on average from the end of the grace
 * @param uploadBytes         bodies that wait for their end or their turn, together
 */
record EndpointLimits(int connections, int unknownPerPeer, long headTimeoutNs, long bodyGraceNs,
    long bodyRateBytesPerSec, long uploadBytes)
{
    private static final int CONNECTIONS = 256;
    private static final int MIN_CONNECTIONS = 8;
    /** Jars, logs and what a small application opens. */
    private static final int HANDLES_OF_OTHERS = 96;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long BODY_RATE = 16L << 10;
    private static final long UPLOAD_BYTES = 512L << 20;

    /** What counts when nothing else is said: fewer connections for a process that may have few files. */
    static EndpointLimits standard(final long fileHandles)
    {
        return of((int)Math.min(CONNECTIONS, Math.max(MIN_CONNECTIONS, (fileHandles - HANDLES_OF_OTHERS) / 4)));
    }

    /** With fewer connections; a quarter of them is left for clients that have shown credentials. */
    static EndpointLimits of(final int connections)
    {
        return new EndpointLimits(connections, Math.max(1, connections - connections / 4), TIMEOUT_NS, TIMEOUT_NS,
            BODY_RATE, UPLOAD_BYTES);
    }
}

package dev.millrace.server.http;

import java.util.concurrent.TimeUnit;

/**
 * Limits of the endpoint. Immutable.
 *
 * @param connections         maximum connections; one more closes the oldest without credentials
 * @param unknownPerPeer      maximum connections without credentials per address, at least 1; one more closes the
 *                            oldest
 * @param headTimeoutNs       limit from connecting, or from the last response, to the end of a request's head
 * @param bodyGraceNs         time after the check of the credentials before the minimum rate of a body applies
 * @param bodyRateBytesPerSec minimum rate of a body, on average since the end of the grace period
 * @param uploadBytes         maximum total size of incomplete and waiting bodies
 */
record EndpointLimits(int connections, int unknownPerPeer, long headTimeoutNs, long bodyGraceNs,
    long bodyRateBytesPerSec, long uploadBytes)
{
    /** Maximum size of a request's head. */
    static final int MAX_HEAD_BYTES = 16 << 10;
    /** Maximum size of an uploaded bundle. */
    static final long MAX_BODY_BYTES = 64L << 20;

    private static final int CONNECTIONS = 256;
    private static final int MIN_CONNECTIONS = 8;
    /** File handles for jars, logs and a small application. */
    private static final int HANDLES_OF_OTHERS = 96;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long BODY_RATE = 16L << 10;
    private static final long UPLOAD_BYTES = 512L << 20;

    /** The default limits: fewer connections for a process with a low limit of file handles. */
    static EndpointLimits standard(final long fileHandles)
    {
        return of((int)Math.min(CONNECTIONS, Math.max(MIN_CONNECTIONS, (fileHandles - HANDLES_OF_OTHERS) / 4)));
    }

    /** Limits with fewer connections; a quarter of them is reserved for clients with credentials. */
    static EndpointLimits of(final int connections)
    {
        return new EndpointLimits(connections, Math.max(1, connections - connections / 4), TIMEOUT_NS, TIMEOUT_NS,
            BODY_RATE, UPLOAD_BYTES);
    }
}

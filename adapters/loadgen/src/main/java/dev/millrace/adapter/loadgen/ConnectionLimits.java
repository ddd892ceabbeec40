package dev.millrace.adapter.loadgen;

import dev.millrace.api.memory.MemoryAccount;

/**
 * Limits for the connections of one adapter.
 *
 * @param maxFrameBytes         maximum size of a frame or line
 * @param maxConnections        maximum number of open connections
 * @param maxConnectionsPerPeer maximum per address; 0 for the defaults of {@link PeerCounts}
 * @param maxBufferedBytes      maximum memory for incomplete frames and TLS of all connections
 * @param memory                charged for that memory
 * @param frameTimeoutNs        maximum time from the first to the last byte of a frame, and from accepting a connection
 * to its first byte
 * @param firstFrameTimeoutNs   maximum time from accepting a connection to its first frame or line
 */
record ConnectionLimits(int maxFrameBytes, int maxConnections, int maxConnectionsPerPeer, long maxBufferedBytes,
    MemoryAccount memory, long frameTimeoutNs, long firstFrameTimeoutNs)
{
}

package dev.millrace.adapter.loadgen;

import dev.millrace.api.memory.MemoryAccount;

/**
 * Bounds of the connections of one adapter.
 *
 * @param maxFrameBytes         greatest frame or line
 * @param maxConnections        most connections at a time
 * @param maxConnectionsPerPeer most of one address; 0 for the defaults of {@link PeerCounts}
 * @param maxBufferedBytes      most memory for unfinished frames and TLS of all connections together
 * @param memory                is charged what they hold
 * @param frameTimeoutNs        how long a frame may take from its first byte to its last, and a connection to its first
 * @param firstFrameTimeoutNs   how long a connection that has been accepted may take to its first frame or line
 */
record ConnectionLimits(int maxFrameBytes, int maxConnections, int maxConnectionsPerPeer, long maxBufferedBytes,
    MemoryAccount memory, long frameTimeoutNs, long firstFrameTimeoutNs)
{
}

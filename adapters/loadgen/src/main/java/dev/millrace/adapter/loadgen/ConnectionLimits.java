package dev.millrace.adapter.loadgen;

/**
 * Bounds of the connections of one adapter.
 *
 * @param maxFrameBytes    greatest frame or line
 * @param maxConnections   most connections at a time
 * @param maxBufferedBytes most memory for unfinished frames of all connections together
 * @param frameTimeoutNs   how long a frame may take from its first byte to its last, and a connection to its first
 */
record ConnectionLimits(int maxFrameBytes, int maxConnections, long maxBufferedBytes, long frameTimeoutNs)
{
}

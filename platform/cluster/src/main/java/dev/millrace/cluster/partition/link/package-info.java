/**
 * Connections between members that carry rows: handshake, frames, send queue and acknowledgements.
 */
package dev.millrace.cluster.partition.link;

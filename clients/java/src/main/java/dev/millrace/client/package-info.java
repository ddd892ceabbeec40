/**
 * A client of the socket adapter: sends typed rows over TCP and receives the numbers of those that the server has
 * received or stored. Depends only on the JDK.
 *
 * <pre>
 *   caller ──values──► EventSender ──► FrameBuffer ──full or flush──► UnacknowledgedFrames ──► ServerConnection
 *                          ▲                                                                         │
 *                          └────────────────── numbers of rows, refusals ◄── reader thread ◄─────────┘
 * </pre>
 *
 * <p>Callers: programs, through {@link dev.millrace.client.EventSender}. Threads: everything except the reader thread
 * of a connection is confined to the thread that uses the sender. {@code PROTOCOL.md} of the adapter describes the
 * bytes.
 */
package dev.millrace.client;

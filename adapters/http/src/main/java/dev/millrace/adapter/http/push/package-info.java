/**
 * Clients that receive the messages of one channel by plain WebSocket or as server-sent events.
 *
 * <p>Threads: those of the HTTP server. Callers: the server of channels.
 */
package dev.millrace.adapter.http.push;

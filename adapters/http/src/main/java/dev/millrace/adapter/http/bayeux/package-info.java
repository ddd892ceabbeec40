/**
 * Bayeux clients of channels: CometD's server on the HTTP server for events, connected to the hub.
 *
 * <p>Threads: those of the HTTP server. Callers: the server of channels.
 */
package dev.millrace.adapter.http.bayeux;

/**
 * What proves a sender and hides its rows: the token of a data port, and TLS over a non-blocking socket.
 *
 * <p>The adapter uses it on the server's side, the load generator on the other. Nothing here knows frames or lines.
 */
package dev.millrace.adapter.loadgen.security;

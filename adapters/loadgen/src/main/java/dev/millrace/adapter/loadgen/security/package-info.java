/**
 * Authentication and encryption of senders: the token of a data port, and TLS over a non-blocking socket.
 *
 * <p>The adapter uses this package on the server side, the load generator on the client side. It does not depend on
 * frames or lines.
 */
package dev.millrace.adapter.loadgen.security;

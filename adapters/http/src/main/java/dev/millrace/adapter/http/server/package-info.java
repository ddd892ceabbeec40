/**
 * HTTP servers for events, which all stages of the process share: a stage registers a path, the first one opens the
 * ports, and the last one closes them.
 *
 * <pre>
 *   connection ─► ConnectionGuard ─► RunningServer: path ─► handler ─► RequestGate: Host, Origin, credentials
 *                  too many, late          404                  403, 401
 * </pre>
 *
 * <p>Callers: the sources and sinks of this module. Threads: Jetty's bounded pool calls handlers, which must not block.
 */
package dev.millrace.adapter.http.server;

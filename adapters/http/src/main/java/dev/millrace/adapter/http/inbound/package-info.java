/**
 * The source of events that clients post.
 *
 * <pre>
 *   RestEndpoint ─► BodyReader ─► RequestQueue ─► RestSource.run: RequestProcessor ─► channel
 *    403, 401, 405, 415, 413    408, 413    429, 503                    400, or 200 when the rows were received
 * </pre>
 *
 * <p>Callers: Jetty's threads receive requests and never block; the thread of the source decodes and sends rows.
 */
package dev.millrace.adapter.http.inbound;

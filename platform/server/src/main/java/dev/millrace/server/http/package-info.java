/**
 * The management endpoint: JSON over HTTP/1.1 on loopback, implemented with Jetty.
 *
 * <pre>
 *   request ─► Host and Origin ─► credentials ─► route ─► body limit ─► Management (deployer) ─► JSON
 *                 403                401, 429     404, 405      413            200, 201, 202, 422
 * </pre>
 *
 * <p>Callers: the activator opens and closes it; all other calls arrive over HTTP. Threads: Jetty's bounded pool reads
 * requests and executes {@code GET}, one thread verifies passwords, and the work manager that {@code jetty} references
 * in {@code config.xml} executes changes.
 */
package dev.millrace.server.http;

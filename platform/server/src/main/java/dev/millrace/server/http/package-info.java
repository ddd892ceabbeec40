/**
 * The management endpoint: JSON over HTTP/1.1 on loopback, with Jetty below.
 *
 * <pre>
 *   request ─► Host and Origin ─► credentials ─► route ─► body limit ─► Management (deployer) ─► JSON
 *                 403                401, 429     404, 405      413            200, 201, 202, 422
 * </pre>
 *
 * <p>Who may call: the activator opens and closes it; everything else arrives over HTTP. Threads: bytes
 * and {@code GET} are the work of Jetty's bounded pool, passwords of one thread, changes of the work manager that
 * {@code jetty} names in {@code config.xml}.
 */
package dev.millrace.server.http;

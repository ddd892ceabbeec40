/**
 * The management endpoint: JSON over HTTP on loopback, made from the JDK's own server.
 *
 * <pre>
 *   request ─► Host and Origin ─► credentials ─► route ─► body limit ─► Management (deployer) ─► JSON
 *                 403                401, 429     404, 405      413            200, 201, 202, 422
 * </pre>
 *
 * <p>Who may call: the activator opens and closes it; everything else arrives over HTTP. Threads: those of the work
 * manager that {@code jetty} names in {@code config.xml}.
 */
package dev.millrace.server.http;

/**
 * Deployment: the applications installed in the domain, and their installation, replacement and removal without effect
 * on other applications.
 *
 * <pre>
 *   upload ─► applications/.incoming ─► checks ─► applications/NAME/ ─► framework ─► extender ─► deployments.xml
 * </pre>
 *
 * <p>Callers: the activator and the management endpoint. Threads: changes of one application are serialized on the
 * calling threads; reading states does not wait for them.
 */
package dev.millrace.server.deployment;

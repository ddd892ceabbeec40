/**
 * Deployment: what is installed in the domain, and getting it in, replaced and out again without hurting the rest.
 *
 * <pre>
 *   upload ─► applications/.incoming ─► checks ─► applications/NAME/ ─► framework ─► extender ─► deployments.xml
 * </pre>
 *
 * <p>Who may call: the activator and the management endpoint. Threads: changes are made one at a time, by whichever
 * thread asks; reading states does not wait for them.
 */
package dev.millrace.server.deployment;

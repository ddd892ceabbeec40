/**
 * The server bundle of an instance: reads the domain's configuration, creates applications from bundles, deploys them
 * and serves the management endpoint.
 *
 * <pre>
 *   config ──► Activator ──► extender (bundle to application)
 *                  │    └──► deployment (domain directory, deployments.xml) ──► extender
 *                  └───────► http (management endpoint) ──► deployment
 * </pre>
 *
 * <p>Callers: the framework starts and stops the bundle; other bundles use only {@code spi}. Threads: the activator
 * runs on the framework's start thread, applications are restored on {@code millrace-restore}.
 */
package dev.millrace.server;

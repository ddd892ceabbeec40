/**
 * The server bundle of an instance: reads the domain's configuration, turns bundles into applications, deploys them
 * and answers the management endpoint.
 *
 * <pre>
 *   config ──► Activator ──► extender (bundle to application)
 *                  │    └──► deployment (domain directory, deployments.xml) ──► extender
 *                  └───────► http (management endpoint) ──► deployment
 * </pre>
 *
 * <p>Who may call: the framework starts and stops the bundle; other bundles see {@code spi} alone. Threads: the
 * activator runs on the framework's start thread, applications are restored on {@code millrace-restore}.
 */
package dev.millrace.server;

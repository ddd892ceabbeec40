/**
 * Bundles, namespaces and class spaces of applications.
 */
package dev.millrace.server.extender.bundle;

/**
 * OSGi elements of an application: services that it exports and references.
 */
package dev.millrace.server.extender.osgi;

/**
 * The interface between the server and other bundles of the platform, such as the cluster and management: services of
 * the framework, registered and used on any thread. Not for applications.
 */
@Export
@Version("1.2.0")
package dev.millrace.server.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

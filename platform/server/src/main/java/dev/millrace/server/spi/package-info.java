/**
 * What other bundles of the platform see of the server, and what they add to it: the cluster, management. Services of
 * the framework, registered and taken by any thread. Applications never use them.
 */
@Export
@Version("1.2.0")
package dev.millrace.server.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * Classes that applications name in their assembly files to work in groups of members. A bundle that does so imports
 * this package. Called by Spring on the deploying thread, then by any thread of the application.
 */
@Export
@Version("1.0.0")
package dev.millrace.cluster.groups;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

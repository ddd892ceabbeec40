/**
 * Beans that applications declare in their assembly files to work in groups of members. The application bundle imports
 * this package. Callers: Spring on the deploying thread, then any thread of the application.
 */
@Export
@Version("1.0.0")
package dev.millrace.cluster.groups;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * What an instance knows of the others of its domain: who is there, who is fenced, which groups they belong to.
 *
 * <p>Called by the server and by platform bundles; applications see members and groups through services. No type of the
 * product underneath is seen here. Views are immutable and may be read by any thread; listeners are called by one
 * thread of the cluster, one call at a time.
 */
@Export
@Version("1.3.0")
package dev.millrace.cluster;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

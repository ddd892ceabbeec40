/**
 * The cluster as seen by an instance of the domain: members, fencing, groups, shared data, messages.
 *
 * <p>Callers: the server and platform bundles; applications see members and groups through services. The API does not
 * expose the clustering product that implements it. Views are immutable and may be read by any thread; listeners are
 * called by one thread of the cluster, one call at a time.
 */
@Export
@Version("1.3.0")
package dev.millrace.cluster;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

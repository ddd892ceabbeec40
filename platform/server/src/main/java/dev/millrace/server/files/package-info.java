/** Files of the domain directory, as the server and the cluster change them. */
@Export
@Version("1.0.0")
package dev.millrace.server.files;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

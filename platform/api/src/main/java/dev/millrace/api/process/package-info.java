/**
 * What the process that everything runs in can afford.
 *
 * <p>Who may call: adapters and the platform, before they take what others need as well. Threads: safe for all.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.process;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

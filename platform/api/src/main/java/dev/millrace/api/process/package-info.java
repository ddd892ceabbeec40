/**
 * Limits of the process that everything runs in.
 *
 * <p>Callers: adapters and the platform, before they use resources that other parts need as well. Thread-safe.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.process;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

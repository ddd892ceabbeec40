/**
 * Conversion between messages of publish-subscribe channels and events by user code.
 *
 * <p>Callers: applications implement these interfaces; the adapters call them. Threads: see each interface.
 */
@Export
@Version("1.0.0")
package dev.millrace.adapter.http.api;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

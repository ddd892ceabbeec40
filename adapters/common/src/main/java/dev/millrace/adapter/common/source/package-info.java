/**
 * Batches, rejected rows and outages of sources.
 *
 * <p>Callers: the adapters of the product; the package may change in any release. Threads: see each type.
 */
@Export(attribute = "x-internal:=true")
@Version("1.0.0")
package dev.millrace.adapter.common.source;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

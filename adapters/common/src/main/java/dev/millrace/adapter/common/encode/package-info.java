/**
 * Formatting of rows as CSV or JSON.
 *
 * <p>Callers: the adapters of the product; the package may change in any release. Threads: the sink's.
 */
@Export(attribute = "x-internal:=true")
@Version("1.0.0")
package dev.millrace.adapter.common.encode;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

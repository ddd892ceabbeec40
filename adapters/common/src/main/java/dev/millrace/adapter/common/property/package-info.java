/**
 * Validation of instance properties with the error codes of an adapter.
 *
 * <p>Callers: the adapters of the product; the package may change in any release. Threads: any.
 */
@Export(attribute = "x-internal:=true")
@Version("1.0.0")
package dev.millrace.adapter.common.property;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

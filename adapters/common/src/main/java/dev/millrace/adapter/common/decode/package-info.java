/**
 * Decoders of records: CSV and lines of JSON, directly to the columns of a batch.
 *
 * <p>Callers: the adapters of the product; the package may change in any release. Threads: the source's.
 */
@Export(attribute = "x-internal:=true")
@Version("1.0.0")
package dev.millrace.adapter.common.decode;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * Events: their types, and the columnar batches that carry them.
 *
 * <pre>
 *   EventType ──► BatchSchema ──► EventBatch      columns of primitives, at most 256 rows, one owner at a time
 *                                     └► CharColumn   strings of a column: bytes, objects, or codes of a thread's table
 * </pre>
 *
 * <p>Callers: adapters, sinks and the platform. Threads: types and schemas are immutable; a batch belongs to the thread
 * that is handling it.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.event;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * Events: their types, the columnar batches in which they travel, and the dictionaries that code their strings.
 *
 * <pre>
 *   EventType ──► BatchSchema ──► EventBatch      columns of primitives, at most 256 rows, one owner at a time
 *       │              │
 *       └ property ────┴──► Dictionary            bytes ─► dense int, shared by all columns of one domain
 * </pre>
 *
 * <p>Who may call: adapters, sinks and the platform. Threads: types and schemas are immutable; a batch belongs to
 * the thread that is handling it; a dictionary takes look-ups from all threads.
 */
@Export
@Version("1.0.0")
package dev.millrace.api.event;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

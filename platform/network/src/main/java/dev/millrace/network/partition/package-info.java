/**
 * Rows that are shared out among members: which partition a row belongs to, whose rows a batch holds, and how rows look
 * as bytes.
 *
 * <pre>
 *   EventBatch ─► PartitionHash ─► RowSplitter ─► rows of this member  ─► on, on the same thread
 *                 partition a row   owner a row └► rows of each other ─► RowEncoder ═ bytes ═ RowDecoder ─► EventBatch
 * </pre>
 *
 * <p>Called by the cluster, which knows the members. Each object serves one thread at a time.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.partition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

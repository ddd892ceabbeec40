/**
 * Rows that are partitioned across members: the partition of a row, the owners of the rows of a batch, and the encoding
 * of rows as bytes.
 *
 * <pre>
 *   EventBatch ─► PartitionHash ─► RowSplitter ─► rows of this member: continue on the same thread
 *              partition per row  owner per row └► rows of each other member ─► RowEncoder ═ bytes ═ RowDecoder ─►
 * EventBatch
 * </pre>
 *
 * <p>Callers: the cluster, which knows the members. Not thread-safe.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.partition;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

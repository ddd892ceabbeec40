/**
 * The records in the journal of a unit of a durable processor, and of a dataset of recorded events: a kind, the number
 * of a group, and the content.
 *
 * <pre>
 *   file: GROUP number description ... | PRODUCER id name ... | ROWS number batch | TIME number time | CLEAR number
 *         | ANSWER number form rows | RECORDED_ROWS number time batch
 * </pre>
 *
 * <p>The keys of its relations ({@link dev.millrace.network.durable.PrimaryKeySet}) are stored with its state.
 *
 * <p>Callers: the processor and recordings, which write and replay them; the command line, which shows them. Not
 * thread-safe.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.durable;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

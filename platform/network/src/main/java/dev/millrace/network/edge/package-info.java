/**
 * The edge between columns and objects: user code that wants beans, maps or tuples gets them here and nowhere else.
 *
 * <pre>
 *   object ──EventCodec.write──► row of an EventBatch ──EventCodec.read──► object
 * </pre>
 *
 * <p>Who may call: the network's object senders and sinks, and adapters that turn objects into rows. Threads: a codec
 * is immutable and safe for all threads.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.edge;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

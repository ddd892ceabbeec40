/**
 * Conversion between columns and objects: the only package that creates beans, maps or tuples for user code.
 *
 * <pre>
 *   object ──EventCodec.write──► row of an EventBatch ──EventCodec.read──► object
 * </pre>
 *
 * <p>Callers: the network's object senders and sinks, and adapters that convert objects to rows. Threads: a codec is
 * immutable and thread-safe.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.conversion;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

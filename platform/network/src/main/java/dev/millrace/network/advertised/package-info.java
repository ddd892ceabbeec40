/**
 * Stages that applications of one process advertise, and the sources of other applications that take their rows.
 *
 * <pre>
 *   application A: channel ─► AdvertisedSink ─ batch lent ─► application B: ForeignSource ─ rows copied ─► channel
 * </pre>
 *
 * <p>Both ends are ordinary stages of their networks, so that rows are counted, rejected and held back as those of a
 * sink and of an adapter are. Rows cross on the thread of application A, so that a full queue of application B makes
 * application A wait. Only {@link dev.millrace.network.advertised.AdvertisedStages} knows both ends: each can be
 * replaced, or be missing, without the other.
 *
 * <p>Callers: the assembly creates the stages; the owner of a process creates the registry. Threads: the stages are
 * connected and disconnected by deployment threads, rows pass on the threads of networks.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.advertised;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

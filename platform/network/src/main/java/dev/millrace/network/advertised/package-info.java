/**
 * Stages that applications of one process advertise, the stages of other applications that are connected with them, and
 * the event types that the applications declare.
 *
 * <pre>
 *   application A: channel ─► AdvertisedSink ─ batch lent ─► application B: ForeignSource ─ rows copied ─► channel
 *   application A: channel ─► ForeignSink ─ rows copied ─► application B: ListenerSource ─► advertised channel
 * </pre>
 *
 * <p>All are ordinary stages of their networks, so that rows are counted, rejected and held as those of a sink and of
 * an adapter are. The thread of application A passes the rows on, and waits while a queue of application B is full.
 * They refer only to {@link dev.millrace.network.advertised.AdvertisedStages}, so that each can be replaced or be
 * missing without the other.
 *
 * <p>Callers: the assembly creates the stages; the owner of a process creates the registry. Threads: the stages are
 * connected and disconnected by deployment threads, rows are passed on by the threads of networks.
 */
@Export
@Version("1.0.0")
package dev.millrace.network.advertised;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

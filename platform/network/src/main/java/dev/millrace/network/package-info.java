/**
 * The running event processing network: stages wired by lanes, life cycle, statistics.
 *
 * <pre>
 *   adapter ─lane─► channel ─► processor ─lane per worker─► channel ─► event bean
 *     │ (one lane per source thread: a chain of sinks that only this thread calls)
 *     └ claim of the lane: one compare-and-set per batch; heartbeats, suspend and stop acquire it too
 * </pre>
 *
 * <p>Contents: {@link dev.millrace.network.Network} and its helpers. Callers: the assembly builds networks, the server
 * starts and stops them, management reads {@code statistics()}. Threads: life-cycle methods may be called from any
 * thread and are serialized; events flow on the threads of sources, queues and workers.
 */
@Export
@Version("1.0.0")
package dev.millrace.network;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

/**
 * The running event processing network: stages wired by lanes, life cycle, statistics.
 *
 * <pre>
 *   adapter ─lane─► channel ─► processor ─lane a worker─► channel ─► event bean
 *     │ (one lane a source thread: a chain of sinks that this thread alone walks)
 *     └ claim of the lane: one compare-and-set a batch; heartbeats, suspend and stop take it too
 * </pre>
 *
 * <p>Who lives here: {@link dev.millrace.network.Network} and the stages behind it. Who may call: the assembly builds
 * networks, the server starts and stops them, management reads {@code statistics()}. Threads: life-cycle methods come
 * from any thread and are taken one at a time; events flow on the threads of sources, queues and workers.
 */
@Export
@Version("1.0.0")
package dev.millrace.network;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;

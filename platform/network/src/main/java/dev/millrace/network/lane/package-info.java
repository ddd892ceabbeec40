/**
 * Lanes: a lane is the chain of inlets and outlets that one thread calls with a batch, from a sender, a queue or a
 * processor worker down to the next queue, worker ring or sink. Internal to the network.
 *
 * <pre>
 *   SourceLane ──claim──► Outlet ──► Inlet (channel) ──► Outlet ──► Inlet (processor, bean, queue)
 *                           │ counts rowsOut               counts rowsIn │
 * </pre>
 *
 * <p>Callers: the network. Threads: a lane belongs to one thread. Other threads that need to call it (heartbeats) or
 * end it (suspend, stop) acquire its {@link dev.millrace.network.lane.LaneLock} first. Counters have one writer, the
 * lane, and any number of readers.
 */
package dev.millrace.network.lane;

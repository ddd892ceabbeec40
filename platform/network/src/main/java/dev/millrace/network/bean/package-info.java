/**
 * Adapters and event beans in a network: their senders, their sinks, their life cycle. Internal to the network.
 *
 * <pre>
 *   bean ─ObjectSender─► SourceLane ─► ...          object roles pay for conversion, columnar roles do not
 *   ... ─► ObjectSinkInlet, BatchSinkInlet, SinkInlet ─► bean
 * </pre>
 *
 * <p>Callers: the network. Threads: life-cycle methods are called by the managing thread; a sink is called by one lane
 * at a time unless it is a {@code ConcurrentSink}; object senders are thread-safe.
 */
package dev.millrace.network.bean;

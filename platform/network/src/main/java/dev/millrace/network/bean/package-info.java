/**
 * Adapters and event beans in a network: their senders, their sinks, their life cycle. Internal to the network.
 *
 * <pre>
 *   bean ─ObjectSender─► SourceLane ─► ...          object roles pay for conversion here, columnar roles do not
 *   ... ─► ObjectSinkInlet, GroupSinkInlet, SinkInlet ─► bean
 * </pre>
 *
 * <p>Who may call: the network. Threads: life-cycle calls come from the managing thread; a sink is called by one lane
 * at a time unless it is a {@code ConcurrentSink}; object senders are safe for several threads.
 */
package dev.millrace.network.bean;

/**
 * Sink that sends rows as messages to a queue or topic.
 *
 * <pre>
 *   channel ─► JmsSink ─► BatchTransmitter ─► MessageWriter ─► session: one transaction per batch
 *                          └─ broker unavailable: the channel waits, the batch is sent again
 * </pre>
 *
 * <p>Callers: the activator of this module. Threads: the channel's.
 */
package dev.millrace.adapter.jms.outbound;

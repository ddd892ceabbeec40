/**
 * Sink that writes rows to a topic.
 *
 * <pre>
 *   channel ─► RecordEncoder ─► ConfirmedOutput: waits for each batch ─► brokers
 *                           └─► TransactionalOutput: rows and, in PositionTopic, their numbers
 * </pre>
 *
 * <p>Callers: the provider of the adapter. Threads: the channel's, and one that commits transactions.
 */
package dev.millrace.adapter.kafka.outbound;

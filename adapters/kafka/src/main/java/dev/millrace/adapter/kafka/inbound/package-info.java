/**
 * Source that reads the records of topics.
 *
 * <pre>
 *   ConsumerLoop ─► ConsumerSession: partitions and positions ─► RecordReader ─► ValueDecoder, RecordColumns
 *        │                                                        │ rejected: RejectedRows, DeadLetters
 *        └─► Outage: when to try again                            ▼
 *                                                           PartitionBatch ─► channel
 * </pre>
 *
 * <p>Callers: the provider of the adapter. Threads: those of the source, each with a consumer.
 */
package dev.millrace.adapter.kafka.inbound;

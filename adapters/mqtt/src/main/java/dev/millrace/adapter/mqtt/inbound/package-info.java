/**
 * Source of the messages of topics.
 *
 * <pre>
 *   MqttLink ─► bounded queue ─► ReceiveLoop ─► PayloadDecoder ─► RowBatch ─► channel
 *   (its thread)                  └─ acknowledges messages whose rows the stages below have stored
 * </pre>
 *
 * <p>Callers: the activator of this module. Threads: the source's, unless a type states otherwise.
 */
package dev.millrace.adapter.mqtt.inbound;

/**
 * Sink that publishes rows to topics.
 *
 * <pre>
 *   channel ─► MqttSink ─► BatchPublisher ─► MqttLink: the broker confirms each message of a batch
 *                           └─ broker unavailable: the channel waits, others are published again
 * </pre>
 *
 * <p>Callers: the activator of this module. Threads: the channel's.
 */
package dev.millrace.adapter.mqtt.outbound;

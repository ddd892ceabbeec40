/**
 * Connections to MQTT brokers: properties, and one interface for both versions of the protocol.
 *
 * <pre>
 *   ConnectionProperties ─► ConnectionSettings ─► MqttLinks ─► MqttLink ─┬─ Mqtt3Link: 3.1.1
 *                                                                        └─ Mqtt5Link: 5
 * </pre>
 *
 * <p>Callers: the adapters of this module. Threads: see each type.
 */
package dev.millrace.adapter.mqtt.connect;

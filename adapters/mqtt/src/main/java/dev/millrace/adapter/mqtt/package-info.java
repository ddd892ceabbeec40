/**
 * Adapters for messages of an MQTT broker: a source ({@code inbound}) and a sink ({@code outbound}).
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers.
 */
package dev.millrace.adapter.mqtt;

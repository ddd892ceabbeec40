package dev.millrace.adapter.mqtt.connect;

/**
 * A message to publish. Immutable; the payload is not copied.
 *
 * @param qos        0 to 2
 * @param isRetained whether the broker keeps it for later subscribers
 */
public record Outgoing(String topic, byte[] payload, int qos, boolean isRetained)
{
}

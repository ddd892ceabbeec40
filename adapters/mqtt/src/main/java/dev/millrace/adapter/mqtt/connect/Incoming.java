package dev.millrace.adapter.mqtt.connect;

/**
 * A message that was received.
 *
 * @param topic   to which it was published
 * @param payload belongs to the receiver
 * @param confirm acknowledges it; does nothing with QoS 0; any thread may call it, once
 */
public record Incoming(String topic, byte[] payload, Runnable confirm)
{
}
